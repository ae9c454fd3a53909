import { concatBytes } from '@org/types/bytes'
import { Cursor, Writer } from '@org/types/schema'
import { MAX_VOTES_COUNT } from '@org/types/vote'

/** More transactions than any block has room for that the network could carry in time. */
const MAX_TXS = 2_000_000

const LENGTH_DELIMITED = 2
const tag = (field: number): number => (field << 3) | LENGTH_DELIMITED

// Where things stand in the messages.
const BLOCK_RESPONSE = tag(3)
const RESPONSE_BLOCK = tag(1)
const RESPONSE_EXT_COMMIT = tag(2)
const BLOCK_DATA = tag(2)
const DATA_TXS = tag(1)
const BLOCK_LAST_COMMIT = tag(4)
const COMMIT_SIGNATURES = tag(4)

/** The contents of the fields with this tag, one after the other. */
function* views(bytes: Uint8Array, wanted: number): Generator<Uint8Array> {
  const cursor = new Cursor(bytes)
  while (cursor.pos < cursor.end) {
    const found = cursor.tag()
    if (found === wanted) yield cursor.view()
    else cursor.skip(found)
  }
}

function countPaths(bytes: Uint8Array, path: readonly number[]): number {
  const [first, ...rest] = path
  if (first === undefined) return 1
  let count = 0
  for (const view of views(bytes, first)) count += countPaths(view, rest)
  return count
}

/** True if the message carries a block. Throws a `SchemaError` on bytes that are no message. */
export function isBlockResponse(bytes: Uint8Array): boolean {
  for (const _ of views(bytes, BLOCK_RESPONSE)) return true
  return false
}

/** What is too much in a message with a block, seen before it is decoded. Throws a `SchemaError` on bytes that are no message. */
export function blockResponseFault(bytes: Uint8Array): string | undefined {
  const limits: readonly (readonly [what: string, path: readonly number[], max: number])[] = [
    ['commit signatures', [BLOCK_RESPONSE, RESPONSE_BLOCK, BLOCK_LAST_COMMIT, COMMIT_SIGNATURES], MAX_VOTES_COUNT],
    ['extended commit signatures', [BLOCK_RESPONSE, RESPONSE_EXT_COMMIT, COMMIT_SIGNATURES], MAX_VOTES_COUNT],
    ['transactions', [BLOCK_RESPONSE, RESPONSE_BLOCK, BLOCK_DATA, DATA_TXS], MAX_TXS],
  ]
  for (const [what, path, max] of limits) {
    const count = countPaths(bytes, path)
    if (count > max) return `too many ${what}: ${count} (max ${max})`
  }
  return undefined
}

function fieldHead(tag: number, length: number): Uint8Array {
  const writer = new Writer()
  writer.uint32(tag)
  writer.uint32(length)
  return writer.finish()
}

const lengthOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

/** A message with a block, from the block's own bytes in pieces. They are copied once: a peer that catches up asks for thousands. */
export function encodeBlockResponse(block: readonly Uint8Array[], extCommit: Uint8Array | undefined): Uint8Array {
  const fields = [fieldHead(RESPONSE_BLOCK, lengthOf(block)), ...block]
  if (extCommit !== undefined) fields.push(fieldHead(RESPONSE_EXT_COMMIT, extCommit.length), extCommit)
  return concatBytes(fieldHead(BLOCK_RESPONSE, lengthOf(fields)), ...fields)
}
