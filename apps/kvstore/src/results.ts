import { type Event, type EventAttribute, ExecTxResult } from '@org/types/abci'
import { bytesToUtf8 } from '@org/types/bytes'
import { CODE } from './codes.ts'
import type { Pair } from './rules/index.ts'

function attribute(key: string, value: string, index = true): EventAttribute {
  return { key, value, index }
}

const INDEXED = attribute('index_key', 'index is working')
const NOT_INDEXED = attribute('noindex_key', 'index is working', false)

/**
 * Returns a function that makes an event for a key. A node makes millions of events. To save memory, all these events
 * share the attributes other than the key.
 */
function eventsOf(creator: string): (key: string) => Event {
  const created = attribute('creator', creator)
  return (key) => ({ type: 'app', attributes: [created, attribute('key', key), INDEXED, NOT_INDEXED] })
}

const eventOfKey = eventsOf('Cosmoshi Netowoko')
const eventOfValue = eventsOf('Cosmoshi')
const EXECUTED = ExecTxResult.create({ code: CODE.ok })

/**
 * Returns the result of an executed transaction. It has two events: one with the key of the pair, and one with the
 * value.
 */
export function executedResult({ key, value }: Pair): ExecTxResult {
  return { ...EXECUTED, events: [eventOfKey(bytesToUtf8(key)), eventOfValue(bytesToUtf8(value))] }
}

export function refusedResult(reason: string): ExecTxResult {
  return ExecTxResult.create({ code: CODE.invalidFormat, log: reason })
}
