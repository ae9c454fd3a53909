import type { Event, ResponseFinalizeBlock } from '@org/types/abci'
import type { NewBlock } from '../event-bus.ts'

/**
 * The constants below estimate the memory, in bytes, that the events of a block take. While an event is in memory, its
 * readers also keep the JSON of the event, as a text and as bytes. So a transaction that takes two bytes in a block can
 * take more than a thousand bytes of memory, with its event and its result.
 */
const BLOCK = 4096
const TRANSACTION = 1024
const EVENT = 256
const ATTRIBUTE = 512
/** The memory for each byte of a block, and for each character of a result. The memory of their JSON is included. */
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

/** Estimates the memory, in bytes, that the events of a block take. `blockSize` is the block's length in bytes. */
export function memoryOfBlock({ block, resultFinalizeBlock }: Omit<NewBlock, 'type'>, blockSize: number): number {
  const { length } = block.data.txs
  return BLOCK + CHARACTER * blockSize + TRANSACTION * length + memoryOfResults(resultFinalizeBlock)
}
