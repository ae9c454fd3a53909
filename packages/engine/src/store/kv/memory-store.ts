import { bytesToBinary, utf8ToBytes } from '@org/types/bytes'
import { STORE_ERRORS, StoreError } from '../errors.ts'
import { addAll, type Batch, type Entry, entriesOf, type KeyRange, type KeyValueStore } from './port.ts'

const CHUNK = 512

function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

/**
 * Returns the index of the first text in `sorted` that is `text` or comes after it. With `after`, returns the index of
 * the first text that comes after `text`.
 */
function lowerBound(sorted: readonly string[], text: string, after: boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const at = sorted[middle] as string
    if (at < text || (after && at === text)) low = middle + 1
    else high = middle
  }
  return low
}

export interface MemoryStoreOptions {
  /**
   * True: the caller does not change or use a value after it has written it, so the store keeps the value without a
   * copy. Default: false.
   */
  readonly ownsGiven?: boolean
}

/**
 * Creates a store in memory, which is empty at first. It is for tests, for simulations, and for nodes without a disk.
 */
export function createMemoryStore({ ownsGiven = false }: MemoryStoreOptions = {}): KeyValueStore {
  /** The stored values. Each key is a text with one character per byte. `undefined` after `close`. */
  let stored: Map<string, Uint8Array> | undefined = new Map()
  // The keys of the last scan in sorted order. The next scan inserts the keys that were added since then (`added`).
  let sorted: string[] = []
  let added = new Set<string>()
  let removed = false

  function open(): Map<string, Uint8Array> {
    if (stored === undefined) throw new StoreError(STORE_ERRORS.closed, 'the store is closed')
    return stored
  }

  function keysInOrder(): readonly string[] {
    const values = open()
    if (removed) sorted = sorted.filter((key) => values.has(key) && !added.has(key))
    if (added.size > 0) {
      const fresh = [...added].filter((key) => values.has(key)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      sorted = sorted.length === 0 ? fresh : mergeSorted(sorted, fresh)
    }
    added = new Set()
    removed = false
    return sorted
  }

  function select(range: KeyRange): readonly string[] {
    const keys = keysInOrder()
    let from = 0
    let to = keys.length
    if (range.gte !== undefined) from = Math.max(from, lowerBound(keys, bytesToBinary(range.gte), false))
    if (range.gt !== undefined) from = Math.max(from, lowerBound(keys, bytesToBinary(range.gt), true))
    if (range.lt !== undefined) to = Math.min(to, lowerBound(keys, bytesToBinary(range.lt), false))
    if (range.lte !== undefined) to = Math.min(to, lowerBound(keys, bytesToBinary(range.lte), true))
    const selected = keys.slice(from, Math.max(from, to))
    if (range.reverse === true) selected.reverse()
    return range.limit === undefined || range.limit < 0 ? selected : selected.slice(0, range.limit)
  }

  async function* chunks(range: KeyRange = {}): AsyncGenerator<readonly Entry[]> {
    const values = open()
    const entries = select(range).map((key) => [key, values.get(key) as Uint8Array] as const)
    for (let at = 0; at < entries.length; at += CHUNK) {
      open()
      yield entries.slice(at, at + CHUNK).map(([key, value]) => [bytesOf(key), value.slice()] as const)
    }
  }

  const batch: Batch = {
    put: (given, value) => {
      const key = bytesToBinary(typeof given === 'string' ? utf8ToBytes(given) : given)
      const values = open()
      if (!values.has(key)) added.add(key)
      values.set(key, ownsGiven ? value : value.slice())
    },
    del: (key) => {
      if (open().delete(bytesToBinary(key))) removed = true
    },
  }

  return {
    get: (key) => open().get(bytesToBinary(key))?.slice(),
    has: (key) => open().has(bytesToBinary(key)),
    getMany: async (keys) => {
      const values = open()
      return keys.map((key) => values.get(bytesToBinary(key))?.slice())
    },
    write: async (ops) => {
      open()
      if (typeof ops === 'function') ops(batch)
      else addAll(batch, ops)
    },
    iterate: (range) => entriesOf(chunks(range)),
    keys: async function* (range = {}) {
      for (const key of select(range)) yield bytesOf(key)
    },
    chunks,
    valueTexts: async function* (range) {
      for await (const entries of chunks(range)) yield entries.map(([, value]) => new TextDecoder().decode(value))
    },
    entryTexts: async function* (range) {
      const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
      for await (const entries of chunks(range)) yield entries.map(([key, value]) => [text(key), text(value)] as const)
    },
    keyTexts: async function* (range) {
      for await (const entries of chunks(range)) yield entries.map(([key]) => new TextDecoder().decode(key))
    },
    close: async () => {
      stored = undefined
    },
  }
}

function mergeSorted(a: readonly string[], b: readonly string[]): string[] {
  const merged: string[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const left = a[i] as string
    const right = b[j] as string
    if (left < right) {
      merged.push(left)
      i++
    } else {
      merged.push(right)
      j++
    }
  }
  while (i < a.length) merged.push(a[i++] as string)
  while (j < b.length) merged.push(b[j++] as string)
  return merged
}
