import { type Event, type EventAttribute, ExecTxResult } from '@org/types/abci'
import { bytesToUtf8 } from '@org/types/bytes'
import { CODE } from './codes.ts'
import type { Pair } from './rules/index.ts'

function attribute(key: string, value: string, index = true): EventAttribute {
  return { key, value, index }
}

function appEvent(creator: string, key: string): Event {
  return {
    type: 'app',
    attributes: [
      attribute('creator', creator),
      attribute('key', key),
      attribute('index_key', 'index is working'),
      attribute('noindex_key', 'index is working', false),
    ],
  }
}

/** The result of a transaction that was executed: two events, one with its key and one with its value. */
export function executedResult({ key, value }: Pair): ExecTxResult {
  const events = [appEvent('Cosmoshi Netowoko', bytesToUtf8(key)), appEvent('Cosmoshi', bytesToUtf8(value))]
  return ExecTxResult.create({ code: CODE.ok, events })
}

export function refusedResult(reason: string): ExecTxResult {
  return ExecTxResult.create({ code: CODE.invalidFormat, log: reason })
}
