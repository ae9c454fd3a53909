import { compareBytes, utf8ToBytes } from '@org/types/bytes'
import { APP_ERRORS, AppError } from '../errors.ts'
import {
  type Child,
  type Edit,
  find,
  insert,
  type Leaf,
  type Load,
  leavesOf,
  type Range,
  remove,
} from '../tree/index.ts'
import { type Change, createSortedChanges } from './sorted-changes.ts'

/** The maximum number of bytes of a key. */
const MAX_KEY_BYTES = 1024
/**
 * The maximum number of bytes of a value. A chunk of a snapshot contains whole values, and must fit into a message of
 * at most 16 MB.
 */
const MAX_VALUE_BYTES = 4 * 1024 * 1024

/** A key of the state. If it is a text, its UTF-8 bytes are the key. */
export type Key = Uint8Array | string
/** A key of the state with its value. */
export type Pair = readonly [key: Uint8Array, value: Uint8Array]

/** The range of keys that an iteration visits. If a key is a text, its UTF-8 bytes are the key. */
export interface KeyRange {
  /** The first key of the range. Default: the smallest key. */
  readonly from?: Key
  /** The first key after the range. Default: the range has no end. */
  readonly before?: Key
  readonly reverse?: boolean
}

/** A state that can be read. */
export interface ReadState {
  /** The value of a key; `undefined` if the state does not have the key. Do not change the bytes of the value. */
  readonly get: (key: Key) => Uint8Array | undefined
  /** The pairs of a range, in the order of the bytes of their keys. */
  readonly entries: (range?: KeyRange) => Iterable<Pair>
}

/** A state that can be changed. */
export interface State extends ReadState {
  /**
   * Throws an `AppError` (`APP_BAD_PAIR`) if the key or the value is empty or too long. A key has at most 1,024 bytes,
   * and a value at most 4 MiB.
   */
  readonly set: (key: Key, value: Uint8Array | string) => void
  readonly delete: (key: Key) => void
}

/** Counts the accesses to a state. */
export type Meter = (access: 'read' | 'write', bytes: number) => void

const toBytes = (key: Key): Uint8Array => (typeof key === 'string' ? utf8ToBytes(key) : key)
const asRange = ({ from, before, reverse }: KeyRange): Range => ({
  from: from === undefined ? undefined : toBytes(from),
  before: before === undefined ? undefined : toBytes(before),
  reverse,
})

interface TreeSource {
  readonly tree: Child | undefined
  readonly load: Load
}

function checkedKey(key: Key): Uint8Array {
  const bytes = toBytes(key)
  if (bytes.length > 0 && bytes.length <= MAX_KEY_BYTES) return bytes
  const message = `a key has 1 to ${MAX_KEY_BYTES} bytes, got ${bytes.length}`
  throw new AppError(APP_ERRORS.pair, message, { data: { bytes: bytes.length } })
}

/** Reads a version of the state. */
export function readTree({ tree, load }: TreeSource): ReadState {
  return {
    get: (key) => find(tree, load, toBytes(key))?.value,
    *entries(range = {}) {
      for (const { key, value } of leavesOf({ tree, load }, asRange(range))) yield [key, value]
    },
  }
}

/** The changes that one transaction makes to a tree. They are part of the tree only after {@link Overlay.applyTo}. */
export interface Overlay extends State {
  /** The tree with the changes. */
  readonly applyTo: (edit: Edit) => Child | undefined
}

interface MergeParts {
  readonly leaves: Iterator<Leaf>
  readonly changes: readonly Change[]
  readonly isReverse: boolean
  /**
   * Called for each change that removes a key. The merge yields no pair for this change, but the work for the change
   * takes time. So the callback must use gas.
   */
  readonly onRemoved: (key: Uint8Array) => void
}

/** Merges two sorted lists. If both lists have a key, the pair of `changes` is used. */
function* merge({ leaves, changes, isReverse, onRemoved }: MergeParts): Generator<Pair> {
  let leaf = leaves.next()
  let at = 0
  for (;;) {
    const change = changes[at]
    if (leaf.done === true && change === undefined) return
    const order = leaf.done === true ? 1 : change === undefined ? -1 : compareBytes(leaf.value.key, change.key)
    const isLeafFirst = isReverse && leaf.done !== true && change !== undefined ? order > 0 : order < 0
    if (leaf.done !== true && isLeafFirst) {
      yield [leaf.value.key, leaf.value.value]
      leaf = leaves.next()
      continue
    }
    if (change?.value !== undefined) yield [change.key, change.value]
    else if (change !== undefined) onRemoved(change.key)
    if (order === 0) leaf = leaves.next()
    at++
  }
}

/** Creates an empty list of changes to a tree. `meter` is called for each access, and may throw. */
export function createOverlay({ tree, load }: TreeSource, meter: Meter): Overlay {
  const changes = createSortedChanges()

  function put(key: Uint8Array, value: Uint8Array | undefined): void {
    meter('write', key.length + (value?.length ?? 0))
    changes.put({ key, value })
  }

  return {
    get: (key) => {
      const bytes = toBytes(key)
      const change = changes.get(bytes)
      const value = change === undefined ? find(tree, load, bytes)?.value : change.value
      meter('read', bytes.length + (value?.length ?? 0))
      return value
    },
    *entries(options = {}) {
      const range = asRange(options)
      const isReverse = range.reverse === true
      // An iteration costs time even if its range is empty, so the start of the iteration counts as a read of 0 bytes.
      meter('read', 0)
      const own = changes.within(range)
      if (isReverse) own.reverse()
      const leaves = leavesOf({ tree, load }, range)
      const onRemoved = (key: Uint8Array): void => meter('read', key.length)
      for (const pair of merge({ leaves, changes: own, isReverse, onRemoved })) {
        meter('read', pair[0].length + pair[1].length)
        yield pair
      }
    },
    set: (key, value) => {
      const bytes = typeof value === 'string' ? utf8ToBytes(value) : value
      if (bytes.length === 0 || bytes.length > MAX_VALUE_BYTES) {
        const message = `a value has 1 to ${MAX_VALUE_BYTES} bytes, got ${bytes.length}. A proof cannot show an empty value: delete the key instead`
        throw new AppError(APP_ERRORS.pair, message, { data: { bytes: bytes.length } })
      }
      // The bytes are copied, because the caller may change its own bytes afterwards.
      put(Uint8Array.from(checkedKey(key)), Uint8Array.from(bytes))
    },
    delete: (key) => put(Uint8Array.from(checkedKey(key)), undefined),
    applyTo: (edit) => {
      let result = tree
      for (const { key, value } of changes.within({})) {
        if (value === undefined) result = remove(edit, result, key)
        else result = insert(edit, result, { kind: 'leaf', key, value, version: edit.version })
      }
      return result
    },
  }
}
