import type { Event, ResponseFinalizeBlock } from '@org/types/abci'
import type { NewBlock } from '../event-bus.ts'

/**
 * Estimates of the memory that the events of a block take, in bytes. Readers keep their own forms of an event as long
 * as the event is in memory: its JSON, as a text and in bytes. A short transaction takes two bytes of a block, and more
 * than a thousand bytes of memory with its event and its result.
 */
const BLOCK = 4096
const TRANSACTION = 1024
const EVENT = 256
const ATTRIBUTE = 512
/** The memory of each byte of a transaction, and of each character of a result, with all their forms. */
const CHARACTER = 6

function memoryOfEvents(events: readonly Event[]): number {
  let bytes = 0
  for (const { type, attributes } of events) {
    bytes += EVENT + CHARACTER * type.length
    for (const { key, value } of attributes) bytes += ATTRIBUTE + CHARACTER * (key.length + value.length)
  }
  return bytes
}

function memoryOfResults({ events, txResults }: ResponseFinalizeBlock): number {
  let bytes = memoryOfEvents(events)
  for (const result of txResults) {
    const { data, log, info, codespace } = result
    bytes += CHARACTER * (data.length + log.length + info.length + codespace.length) + memoryOfEvents(result.events)
  }
  return bytes
}

/** Returns the approximate memory, in bytes, that the events of a block take. `blockSize` is the size of its bytes. */
export function memoryOfBlock({ block, resultFinalizeBlock }: Omit<NewBlock, 'type'>, blockSize: number): number {
  const { length } = block.data.txs
  return BLOCK + CHARACTER * blockSize + TRANSACTION * length + memoryOfResults(resultFinalizeBlock)
}
