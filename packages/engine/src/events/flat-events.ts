import { type EventData, hashTx } from '@org/types'
import type { Event } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import type { FlatEvents } from './query/index.ts'

type Mutable = Record<string, string[]>

function add(flat: Mutable, key: string, value: string): void {
  const values = flat[key]
  if (values === undefined) flat[key] = [value]
  else values.push(value)
}

function addAll(flat: Mutable, events: readonly Event[]): void {
  for (const { type, attributes } of events) {
    if (type === '') continue
    for (const { key, value } of attributes) if (key !== '') add(flat, `${type}.${key}`, value)
  }
}

/**
 * Returns the attributes by which queries can select the event. First come all attributes of the application, whether
 * or not they are marked for the index. Then come the node's own attributes, such as `tx.hash`.
 */
export function flattenEvent(data: EventData): FlatEvents {
  const flat: Mutable = {}
  if (data.type === 'NewBlock') addAll(flat, data.resultFinalizeBlock.events)
  else if (data.type === 'NewBlockEvents') addAll(flat, data.events)
  else if (data.type === 'Tx') addAll(flat, data.txResult.result.events)
  add(flat, 'tm.event', data.type)
  if (data.type === 'Tx') {
    const { tx, height } = data.txResult
    add(flat, 'tx.hash', bytesToHex(hashTx(tx)))
    add(flat, 'tx.height', String(height))
  }
  return flat
}
