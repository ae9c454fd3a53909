import { lstatSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '@org/runtime'
import { isPermissionDenied, jsonErrorMessage, PERMISSION_ADVICE } from '@org/runtime/errors'
import { makeFolders } from '@org/runtime/folders'
import type { Json } from '@org/types/schema'
import { HOME_ERRORS, HomeError } from './errors.ts'

export const PRIVATE_MODE = 0o600
export const PUBLIC_MODE = 0o644
const FOLDER_MODE = 0o700
const ALL_PERMISSIONS = 0o777

/**
 * Returns the file or folder whose permissions do not let this user open `path`: `path` itself, or a folder above it.
 */
function deniedPart(path: string): string {
  const parent = dirname(path)
  if (parent === path) return path
  try {
    lstatSync(path)
    return path
  } catch (error) {
    return isPermissionDenied(error) ? deniedPart(parent) : parent
  }
}

/**
 * Returns a text with the reason why a file cannot be used. If a permission is missing, the text also names the file or
 * folder, and says what to do.
 */
function reasonOf(error: unknown, path: string): string {
  if (!isPermissionDenied(error)) return messageOf(error)
  const part = deniedPart(path)
  return `permission denied${part === path ? '' : ` by ${part}`}: ${PERMISSION_ADVICE}`
}

/** The error for a file that the system does not let this user read. */
export function unreadable(path: string, error: unknown): HomeError {
  return new HomeError(HOME_ERRORS.unreadable, `cannot read ${path}: ${reasonOf(error, path)}`, {
    data: { file: path },
    cause: error,
  })
}

/** The error for a file that cannot be written. `action` is the beginning of the message, such as `cannot write`. */
export function unwritable(action: string, path: string, error: unknown): HomeError {
  return new HomeError(HOME_ERRORS.unwritable, `${action} ${path}: ${reasonOf(error, path)}`, {
    data: { file: path },
    cause: error,
  })
}

/** Makes a folder and its missing parents. */
export function ensureFolder(path: string, mode: number = FOLDER_MODE): void {
  try {
    makeFolders(path, mode)
  } catch (error) {
    throw unwritable('cannot make the folder', path, error)
  }
}

/** Writes a file under a temporary name, then renames it. */
export function writeWhole(path: string, text: string, mode: number): void {
  write(path, text, { mode, flush: false })
}

/** With `flush`, the content is on the disk before the file is renamed. */
function write(path: string, text: string, options: { readonly mode: number; readonly flush: boolean }): void {
  ensureFolder(dirname(path))
  const temporary = `${path}.new`
  try {
    // After a crash, a file with this temporary name may exist. An old file would keep its own permissions, because
    // `mode` sets only the permissions of a new file. So the old file is removed.
    rmSync(temporary, { force: true })
    writeFileSync(temporary, text, { ...options, flag: 'wx' })
    renameSync(temporary, path)
  } catch (error) {
    throw unwritable('cannot write', path, error)
  }
}

/**
 * Replaces the content of an existing file, and keeps its permissions. If the path is a symbolic link, replaces the
 * file that the link names. A power failure leaves the old content or the new content.
 */
export function rewriteWhole(path: string, text: string): void {
  const file = realpathSync(path)
  write(file, text, { mode: statSync(file).mode & ALL_PERMISSIONS, flush: true })
}

export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new HomeError(HOME_ERRORS.missing, `there is no ${path}: run halley init first`, { data: { file: path } })
    }
    throw unreadable(path, error)
  }
}

/**
 * Parses a JSON file, and converts the value with `read`. If the text is not JSON, or `read` throws, throws an error
 * that names the file.
 */
export function readJson<T>(path: string, read: (json: Json) => T): T {
  const text = readText(path)
  try {
    return read(JSON.parse(text) as Json)
  } catch (error) {
    throw new HomeError(HOME_ERRORS.corrupt, `${path} is damaged: ${jsonErrorMessage(error)}`, {
      data: { file: path },
      cause: error,
    })
  }
}

/** Removes a file, or a folder with its content. Does nothing if there is no file or folder with this path. */
export function removeAll(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    throw unwritable('cannot remove', path, error)
  }
}

/** Whether a file exists. Throws `HOME_FILE_UNREADABLE` if this user has no permission for a folder above the file. */
export function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (isPermissionDenied(error)) throw unreadable(path, error)
    return false
  }
}
