import { expect, test } from 'vitest'
import { createHandshakeSlots, type HandshakeSlot } from './handshake-slots.ts'
import { MAX_HANDSHAKES } from './limits.ts'

/**
 * Takes a slot for a stream from each of these addresses. When a stream is closed, its index is added to the list
 * `closed`. The function `more` takes a slot for one more stream.
 */
function open(ips: readonly string[]) {
  const all = createHandshakeSlots()
  const closed: number[] = []
  let count = 0
  const more = (ip: string): HandshakeSlot | undefined => {
    const index = count++
    return all.acquire({ close: () => void closed.push(index) }, ip)
  }
  return { slots: ips.map(more), closed, more }
}

/** The addresses of streams that fill all slots: one address of the network 10.1, all others of the network 10.2. */
const FULL = ['10.1.0.1', ...Array.from({ length: MAX_HANDSHAKES - 1 }, (_, i) => `10.2.0.${i}`)]

test('behavior: a new stream takes the slot of the oldest stream of the largest group', () => {
  const { closed, more } = open(FULL)
  expect(closed).toEqual([])
  more('10.3.0.1')
  more('10.1.0.2')
  expect(closed).toEqual([1, 2])
})

test('behavior: a slot that was freed is used before another stream is closed', () => {
  const { slots, closed, more } = open(FULL)
  slots[5]?.release()
  more('10.3.0.1')
  expect(closed).toEqual([])
  more('10.3.0.2')
  expect(closed).toEqual([1])
})

test('behavior: a stream about which the filter decides is not closed; if there is no other, the new one gets no slot', () => {
  const { slots, closed, more } = open(FULL)
  const filter = (all: typeof slots, isFiltered: boolean): void => {
    for (const slot of all) if (slot !== undefined) slot.isFiltered = isFiltered
  }
  filter(slots, true)
  expect(more('10.3.0.1')).toBe(undefined)
  expect(closed).toEqual([])
  filter(slots.slice(0, 2), false)
  expect(more('10.3.0.2')).not.toBe(undefined)
  expect(closed).toEqual([0])
})
