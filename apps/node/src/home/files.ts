import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '@org/runtime'
import type { Json } from '@org/types/schema'
import { HOME_ERRORS, HomeError } from './errors.ts'

export const PRIVATE_MODE = 0o600
export const PUBLIC_MODE = 0o644
const FOLDER_MODE = 0o700

/** Makes a folder and its missing parents. */
export function ensureFolder(path: string, mode: number = FOLDER_MODE): void {
  try {
    mkdirSync(path, { recursive: true, mode })
  } catch (error) {
    throw new HomeError(HOME_ERRORS.unwritable, `cannot make the folder ${path}: ${messageOf(error)}`, {
      data: { file: path },
      cause: error,
    })
  }
}

/** Writes a file under a temporary name, then renames it. */
export function writeWhole(path: string, text: string, mode: number): void {
  ensureFolder(dirname(path))
  const temporary = `${path}.new`
  try {
    // The mode applies only to a new file, so a file that a crash left is removed.
    rmSync(temporary, { force: true })
    writeFileSync(temporary, text, { mode, flag: 'wx' })
    renameSync(temporary, path)
  } catch (error) {
    throw new HomeError(HOME_ERRORS.unwritable, `cannot write ${path}: ${messageOf(error)}`, {
      data: { file: path },
      cause: error,
    })
  }
}

/** The reason for which a file cannot be read. For missing permissions, also the remedy. */
function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'EACCES' && code !== 'EPERM') return messageOf(error)
  return 'permission denied: run halley as the user who owns the file, or give this user the right to read it (chown, chmod)'
}

export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new HomeError(HOME_ERRORS.missing, `there is no ${path}: run init first`, { data: { file: path } })
    }
    throw new HomeError(HOME_ERRORS.unreadable, `cannot read ${path}: ${reasonOf(error)}`, {
      data: { file: path },
      cause: error,
    })
  }
}

/** Reads a JSON file with `read`; its errors are reported with the file's name. */
export function readJson<T>(path: string, read: (json: Json) => T): T {
  const text = readText(path)
  try {
    return read(JSON.parse(text) as Json)
  } catch (error) {
    throw new HomeError(HOME_ERRORS.corrupt, `${path} is damaged: ${messageOf(error)}`, {
      data: { file: path },
      cause: error,
    })
  }
}

export const exists = (path: string): boolean => existsSync(path)
