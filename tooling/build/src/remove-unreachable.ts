import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { publishedEntries } from './published-entries.ts'
import { reachableFiles } from './reachable-files.ts'

/** The endings of the files that the compiler writes for a source file. */
const BUILT = /\.(?:d\.ts|js)$/

/** Removes the folders that contain no file. Returns true if `folder` itself was removed. */
function removeEmptyFolders(folder: string): boolean {
  const remaining = readdirSync(folder, { withFileTypes: true }).filter(
    (each) => !each.isDirectory() || !removeEmptyFolders(join(folder, each.name)),
  )
  if (remaining.length === 0) rmdirSync(folder)
  return remaining.length === 0
}

/**
 * Removes the compiled files that the published entries of the package do not reach: declarations of internal modules,
 * and modules that contain only types. Other files in `dist`, such as those of a bundle, are kept. Returns the paths of
 * the removed files, which begin with `folder`.
 */
export function removeUnreachable(folder: string): string[] {
  const target = join(folder, 'dist')
  const reached = reachableFiles(publishedEntries(folder))
  const removed = readdirSync(target, { recursive: true, encoding: 'utf8' })
    .filter((path) => BUILT.test(path) && existsSync(join(folder, 'src', path.replace(BUILT, '.ts'))))
    .map((path) => join(target, path))
    .filter((file) => !reached.has(file))
  for (const file of removed) rmSync(file)
  removeEmptyFolders(target)
  return removed
}
