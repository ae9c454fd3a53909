import { basename, dirname } from 'node:path'
import type { Files } from '../../files/index.ts'

/** The files of the WAL: the older files `<head>.NNN`, and the head, to which messages are appended. */
export interface FileGroup {
  /** The numbers `NNN` of the older files, ascending. */
  readonly indexes: readonly number[]
  /** The number `NNN` of the file name to which the head will be renamed. */
  readonly nextIndex: number
}

export function indexedPath(head: string, index: number): string {
  return `${head}.${String(index).padStart(3, '0')}`
}

export function listGroup(head: string, files: Pick<Files, 'list'>): FileGroup {
  const prefix = `${basename(head)}.`
  const indexes = files
    .list(dirname(head))
    .filter((name) => name.startsWith(prefix) && /^\d{3,}$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b)
  return { indexes, nextIndex: (indexes.at(-1) ?? -1) + 1 }
}

/**
 * Returns the oldest files whose removal brings the size of all WAL files below `limit` bytes, but at most `maxFiles`
 * files.
 */
export function filesOverLimit(
  head: string,
  { limit, maxFiles }: { readonly limit: number; readonly maxFiles: number },
  files: Pick<Files, 'list' | 'size'>,
): readonly string[] {
  const { indexes } = listGroup(head, files)
  const sizes = indexes.map((index) => files.size(indexedPath(head, index)) ?? 0)
  let total = sizes.reduce((sum, size) => sum + size, files.size(head) ?? 0)
  const over: string[] = []
  for (const [i, index] of indexes.entries()) {
    if (total < limit || over.length === maxFiles) break
    over.push(indexedPath(head, index))
    total -= sizes[i] as number
  }
  return over
}
