import { Cursor } from '@org/types/schema'
import type { TxPosition } from './keys.ts'

/**
 * Returns the position of a transaction from its stored `TxResult`. Reads only the first two fields, which contain the
 * position.
 */
export function positionOfRecord(record: Uint8Array): TxPosition {
  const cursor = new Cursor(record)
  let height = 0
  let index = 0
  while (cursor.pos < cursor.end) {
    const tag = cursor.uint32()
    if (tag === 0x08) height = cursor.safeInt64()
    else if (tag === 0x10) index = cursor.uint32()
    else break
  }
  return { height, index }
}
