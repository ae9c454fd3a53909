import { type Event, encodeResults, encodeTxResult, type ResponseFinalizeBlock } from '@org/types/abci'
import { type Block, hashTxs } from '@org/types/block'
import { createTextEncoder, utf8ToBytes } from '@org/types/bytes'
import { encodeVarint, type Op, put } from '../store/index.ts'
import {
  BLOCK_HEIGHT_TAG,
  blockHeightKey,
  blockKey,
  TX_HASH_TAG,
  TX_HEIGHT_TAG,
  txEventKeyPrefix,
  txHeightKey,
} from './keys.ts'

/** How many events were indexed since the start: part of the keys, so that attributes of one event can be told. */
export interface EventCounts {
  txEvents: number
  blockEvents: number
}

export interface BlockEntries {
  readonly ops: readonly Op[]
  /** Of the transactions, in order. */
  readonly hashes: readonly Uint8Array[]
  /** Prefixes of the keys that an earlier indexing of the same block may have left, with other event numbers. */
  readonly stale: () => Iterable<Uint8Array>
}

interface Attribute {
  readonly tag: string
  readonly value: string
  /** Which event of its list it is of, from 0. */
  readonly event: number
}

/** The attributes to be indexed. Events and attributes without a name are not, nor are names that stand for other things. */
function* indexed(events: readonly Event[], reserved: readonly string[]): Generator<Attribute> {
  for (const [event, { type, attributes }] of events.entries()) {
    if (type === '') continue
    for (const { key, value, index } of attributes) {
      const tag = `${type}.${key}`
      if (key !== '' && index && !reserved.includes(tag)) yield { tag, value, event }
    }
  }
}

/** What the index holds of a block and its transactions. Counts its events on in `counts`. */
export function blockEntries(block: Block, response: ResponseFinalizeBlock, counts: EventCounts): BlockEntries {
  const { height } = block.header
  const ops: Op[] = [put(blockHeightKey(height), encodeVarint(height))]
  const heightValue = encodeVarint(height)
  const reservedOfBlock = [BLOCK_HEIGHT_TAG]
  const reservedOfTx = [TX_HASH_TAG, TX_HEIGHT_TAG]

  const firstBlockEvent = counts.blockEvents + 1
  counts.blockEvents += response.events.length
  for (const { tag, value, event } of indexed(response.events, reservedOfBlock)) {
    ops.push(put(blockKey(tag, value, height, firstBlockEvent + event), heightValue))
  }
  const { txs } = block.data
  const hashes = hashTxs(txs)
  const encoded = encodeResults(response.txResults)
  const textBytes = createTextEncoder()
  for (const [index, tx] of txs.entries()) {
    const result = response.txResults[index]
    if (result === undefined) continue
    const hash = hashes[index] as Uint8Array
    const place = { height, index }
    const firstTxEvent = counts.txEvents + 1
    counts.txEvents += result.events.length
    for (const { tag, value, event } of indexed(result.events, reservedOfTx)) {
      ops.push(put(textBytes(`${txEventKeyPrefix(tag, value, place)}${firstTxEvent + event}`), hash))
    }
    ops.push(put(txHeightKey(place, textBytes), hash), put(hash, encodeTxResult({ ...place, tx }, encoded)))
  }

  function* stale(): Generator<Uint8Array> {
    for (const { tag, value } of indexed(response.events, reservedOfBlock)) yield blockKey(tag, value, height)
    for (const index of block.data.txs.keys()) {
      const events = response.txResults[index]?.events ?? []
      for (const { tag, value } of indexed(events, reservedOfTx)) {
        yield utf8ToBytes(txEventKeyPrefix(tag, value, { height, index }))
      }
    }
  }
  return { ops, hashes, stale }
}
