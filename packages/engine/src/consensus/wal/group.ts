import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The files of a group: `<head>.NNN`, oldest first, then the head itself. */
export interface FileGroup {
  /** The numbers of the files behind the head, ascending. */
  readonly indexes: readonly number[]
  /** The number that the head will get. */
  readonly nextIndex: number
}

export function indexedPath(head: string, index: number): string {
  return `${head}.${String(index).padStart(3, '0')}`
}

export function listGroup(head: string): FileGroup {
  const prefix = `${basename(head)}.`
  const indexes = readdirSync(dirname(head))
    .filter((name) => name.startsWith(prefix) && /^\d{3,}$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b)
  return { indexes, nextIndex: (indexes.at(-1) ?? -1) + 1 }
}

/** The oldest files (at most `most`) whose removal brings the group below `limit` bytes. */
export function filesOverLimit(head: string, limit: number, most: number): readonly string[] {
  const { indexes } = listGroup(head)
  const sizes = indexes.map((index) => statSync(indexedPath(head, index)).size)
  let total = sizes.reduce((sum, size) => sum + size, statSync(join(head)).size)
  const over: string[] = []
  for (const [i, index] of indexes.entries()) {
    if (total < limit || over.length === most) break
    over.push(indexedPath(head, index))
    total -= sizes[i] as number
  }
  return over
}
