import { type Block, hashTxs } from '@org/types'
import { createTxResultEncoder, type Event, type ResponseFinalizeBlock } from '@org/types/abci'
import { utf8ToBytes } from '@org/types/bytes'
import { type Batch, encodeVarint } from '../store/index.ts'
import {
  BLOCK_HEIGHT_TAG,
  blockHeightKey,
  blockKey,
  TX_HASH_TAG,
  TX_HEIGHT_TAG,
  txEventKeyPrefix,
  txHeightKeyText,
  txKeyEnd,
} from './keys.ts'

/**
 * Two counts of the events that were indexed since the node started: the events of transactions, and the events of
 * blocks. The number of a new event is the count of its kind, plus 1. Each key of an event contains the event number,
 * so a search can find out which attributes belong to one event.
 */
export interface EventCounts {
  txEvents: number
  blockEvents: number
}

export interface BlockEntries {
  readonly fill: (batch: Batch) => void
  /** The hashes of the block's transactions, in order. */
  readonly hashes: readonly Uint8Array[]
  /**
   * Returns prefixes of the keys to remove before `fill`. There are such keys if the same block was indexed before: the
   * old keys contain other event numbers, so `fill` would not replace them.
   */
  readonly replacedPrefixes: () => Iterable<Uint8Array>
}

interface Attribute {
  readonly tag: string
  readonly value: string
  /** The position of the event in the block's or the transaction's list of events, from 0. */
  readonly event: number
}

/**
 * Yields the attributes to index: those that the application marked for the index, and whose type and key are not
 * empty. Attributes with reserved names are left out.
 */
function* indexed(events: readonly Event[], reserved: readonly string[]): Generator<Attribute> {
  for (const [event, { type, attributes }] of events.entries()) {
    if (type === '') continue
    for (const { key, value, index } of attributes) {
      const tag = `${type}.${key}`
      if (key !== '' && index && !reserved.includes(tag)) yield { tag, value, event }
    }
  }
}

/**
 * Creates a function that returns the first part of the keys of an attribute, or an empty text if the attribute is not
 * indexed. A block has many attributes but few different names, so each first part is built only once.
 */
function createKeyStarts(): (type: string, key: string) => string {
  const byType = new Map<string, Map<string, string>>()
  function make(type: string, key: string): string {
    const tag = `${type}.${key}`
    return type === '' || key === '' || tag === TX_HASH_TAG || tag === TX_HEIGHT_TAG ? '' : `${tag}/`
  }
  return (type, key) => {
    let starts = byType.get(type)
    if (starts === undefined) {
      starts = new Map()
      byType.set(type, starts)
    }
    let start = starts.get(key)
    if (start === undefined) {
      start = make(type, key)
      starts.set(key, start)
    }
    return start
  }
}

/**
 * Returns the index entries of a block and its transactions. Adds the number of the block's events and the number of
 * its transactions' events to `counts`.
 */
export function blockEntries(block: Block, response: ResponseFinalizeBlock, counts: EventCounts): BlockEntries {
  const { height } = block.header
  const { txs } = block.data
  const hashes = hashTxs(txs)
  const reservedOfBlock = [BLOCK_HEIGHT_TAG]
  const reservedOfTx = [TX_HASH_TAG, TX_HEIGHT_TAG]

  const firstBlockEvent = counts.blockEvents + 1
  counts.blockEvents += response.events.length
  const firstTxEvent = counts.txEvents + 1
  for (const { events } of response.txResults) counts.txEvents += events.length

  function fill(batch: Batch): void {
    const heightValue = encodeVarint(height)
    batch.put(blockHeightKey(height), heightValue)
    for (const { tag, value, event } of indexed(response.events, reservedOfBlock)) {
      batch.put(blockKey(tag, value, height, firstBlockEvent + event), heightValue)
    }
    const encode = createTxResultEncoder(response.txResults)
    const startOf = createKeyStarts()
    let number = firstTxEvent
    for (let index = 0; index < txs.length; index++) {
      const [tx, hash, result] = [txs[index] as Uint8Array, hashes[index] as Uint8Array, response.txResults[index]]
      if (result === undefined) continue
      const position = { height, index }
      const behindValue = txKeyEnd(position)
      for (const { type, attributes } of result.events) {
        const end = behindValue + number
        for (const { key, value, index: wanted } of attributes) {
          if (!wanted) continue
          const start = startOf(type, key)
          if (start !== '') batch.put(start + value + end, hash)
        }
        number++
      }
      batch.put(txHeightKeyText(position), hash)
      batch.put(hash, encode({ height, index, tx }))
    }
  }

  function* replacedPrefixes(): Generator<Uint8Array> {
    for (const { tag, value } of indexed(response.events, reservedOfBlock)) yield blockKey(tag, value, height)
    for (const index of txs.keys()) {
      const events = response.txResults[index]?.events ?? []
      for (const { tag, value } of indexed(events, reservedOfTx)) {
        yield utf8ToBytes(txEventKeyPrefix(tag, value, { height, index }))
      }
    }
  }
  return { fill, hashes, replacedPrefixes }
}
