import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code

/**
 * Makes a folder and its missing parents. Throws the error of the system. The `recursive` of `mkdir` never ends for a
 * folder below `/proc`, where the system says that a parent is missing although it exists.
 */
export function makeFolders(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && statSync(path).isDirectory()) return
    const parent = dirname(path)
    if (codeOf(error) !== 'ENOENT' || parent === path || existsSync(parent)) throw error
    makeFolders(parent, mode)
    mkdirSync(path, { mode })
  }
}
