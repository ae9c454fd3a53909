import { MAX_VOTES_COUNT } from '@org/types'
import { concatList } from '@org/types/bytes'
import { type BlockResponse, BlockSyncMessage } from '@org/types/messages'
import { Cursor, Writer } from '@org/types/schema'

/**
 * The maximum number of decoded items in a message, in addition to the items of the block in the message: two for each
 * signature of the extended commit, and 100 for everything else.
 */
const OTHER_ITEMS = 2 * MAX_VOTES_COUNT + 100

/**
 * The estimated memory of a decoded item in bytes, in addition to the item's bytes on the wire. An item is a list
 * element or a nested message (see `DecodeLimits`). The estimate is cautious: a decoded transaction took 120 bytes in a
 * measurement.
 */
const HEAP_OF_ITEM = 256

const LENGTH_DELIMITED = 2
const tag = (field: number): number => (field << 3) | LENGTH_DELIMITED

// The tags of the fields of a block response.
const BLOCK_RESPONSE = tag(3)
const RESPONSE_BLOCK = tag(1)
const RESPONSE_EXT_COMMIT = tag(2)

/** Yields the contents of the message's fields with the tag `wanted`. */
function* views(bytes: Uint8Array, wanted: number): Generator<Uint8Array> {
  const cursor = new Cursor(bytes)
  while (cursor.pos < cursor.end) {
    const found = cursor.tag()
    if (found === wanted) yield cursor.view()
    else cursor.skip(found)
  }
}

/** Returns true if the message contains a block. Throws a `SchemaError` on bytes that are not a message. */
export function isBlockResponse(bytes: Uint8Array): boolean {
  for (const _ of views(bytes, BLOCK_RESPONSE)) return true
  return false
}

/** A message, and the memory that it needs. */
export interface DecodedMessage {
  readonly message: BlockSyncMessage
  /** The length of the message's block on the wire, in bytes; 0 if the message has no block. */
  readonly blockSize: number
  /** The approximate memory of the message in bytes. */
  readonly heap: number
  readonly items: number
}

/**
 * Decodes a message. The block of the message may have at most `maxItems` items: at the first item above this limit,
 * the decoder stops and throws `SCHEMA_TOO_MANY_ITEMS`. So a message of a faulty peer costs only a limited amount of
 * work.
 */
export function decodeMessage(bytes: Uint8Array, maxItems: number): DecodedMessage {
  let items = 0
  const onItems = (count: number): void => {
    items = count
  }
  const message = BlockSyncMessage.decode(bytes, { maxItems: maxItems + OTHER_ITEMS, onItems })
  let blockSize = 0
  // This loop has no limit of its own. It runs after the decoder, which refuses messages with too many items.
  for (const response of views(bytes, BLOCK_RESPONSE)) {
    for (const block of views(response, RESPONSE_BLOCK)) blockSize += block.length
  }
  return { message, blockSize, items, heap: bytes.length + HEAP_OF_ITEM * items }
}

/**
 * Returns the fault if the block or the extended commit of the message has too many signatures; otherwise `undefined`.
 */
export function signaturesFault({ block, extCommit }: BlockResponse): string | undefined {
  const counts: readonly (readonly [what: string, count: number])[] = [
    ['commit signatures', block?.lastCommit?.signatures.length ?? 0],
    ['extended commit signatures', extCommit?.extendedSignatures.length ?? 0],
  ]
  const fault = counts.find(([, count]) => count > MAX_VOTES_COUNT)
  return fault === undefined ? undefined : `too many ${fault[0]}: ${fault[1]} (max ${MAX_VOTES_COUNT})`
}

function fieldHead(tag: number, length: number): Uint8Array {
  const writer = new Writer()
  writer.uint32(tag)
  writer.uint32(length)
  return writer.finish()
}

const lengthOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

/**
 * Encodes a message with a block. `block` is the list of the block's stored parts. The function copies the bytes of the
 * parts only once, because a peer that catches up requests thousands of blocks.
 */
export function encodeBlockResponse(block: readonly Uint8Array[], extCommit: Uint8Array | undefined): Uint8Array {
  const fields = [fieldHead(RESPONSE_BLOCK, lengthOf(block)), ...block]
  if (extCommit !== undefined) fields.push(fieldHead(RESPONSE_EXT_COMMIT, extCommit.length), extCommit)
  return concatList([fieldHead(BLOCK_RESPONSE, lengthOf(fields)), ...fields])
}
