import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code

/**
 * Makes a folder and its missing parents. Throws the error of the system. It does not use `recursive` of `mkdir`, which
 * never ends for a folder below `/proc`: there the system reports an existing parent as missing.
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
