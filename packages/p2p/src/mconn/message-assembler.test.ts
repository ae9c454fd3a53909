import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BASE_MESSAGE_TIME_MS, createMessageAssembler } from './message-assembler.ts'

const packet = (length: number, eof = false) => ({ channelId: 1, eof, data: new Uint8Array(length).fill(1) })
const tooLong = expect.objectContaining({ code: 'MCONN_MESSAGE_SIZE' })
const tooLate = expect.objectContaining({ code: 'MCONN_MESSAGE_TIME' })

test('default: a message is the bytes of its packets, for any sizes of the packets', () => {
  const sizes = fc.array(fc.oneof(fc.nat(3000), fc.nat(200_000)), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(sizes, (lengths) => {
      const { join, heldBytes } = createMessageAssembler({ id: 1, priority: 1, receiveMessageCapacity: 10_000_000 })
      const pieces = lengths.map((length, i) => new Uint8Array(length).map((_, at) => at + i))
      for (const data of pieces.slice(0, -1)) expect(join({ channelId: 1, eof: false, data })).toBe(undefined)
      const message = join({ channelId: 1, eof: true, data: pieces.at(-1) as Uint8Array })
      expect(Buffer.compare(Buffer.from(message as Uint8Array), Buffer.concat(pieces))).toBe(0)
      expect(heldBytes()).toBe(0)
    }),
    { numRuns: 30 },
  )
})

test("behavior: a channel whose capacity depends on the phase accepts messages up to the phase's limit", () => {
  let capacity = 1000
  const { join, heldBytes } = createMessageAssembler({ id: 1, priority: 1, receiveMessageCapacity: () => capacity })
  expect(join(packet(1000, true))).toHaveLength(1000)
  expect(() => join(packet(1001))).toThrow(tooLong)
  capacity = 100_000
  expect(join(packet(50_000))).toBe(undefined)
  // The capacity of the channel falls to 1,000 bytes. But this message began while the capacity was 100,000 bytes, so
  // it may still have up to 100,000 bytes.
  capacity = 1000
  expect(join(packet(50_000, true))).toHaveLength(100_000)
  expect(() => join(packet(1001))).toThrow(tooLong)
  expect(join(packet(500))).toBe(undefined)
  capacity = 2000
  expect(join(packet(1500))).toBe(undefined)
  expect(heldBytes()).toBe(2000)
})

test('behavior: memory is counted when it is allocated, and released with the message', () => {
  const { join, heldBytes, weight } = createMessageAssembler({ id: 1, priority: 1, receiveMessageCapacity: 10_000 })
  expect([heldBytes(), weight()]).toEqual([0, 0])
  join(packet(1))
  expect(heldBytes()).toBe(4096)
  join(packet(5000))
  expect(heldBytes()).toBe(8192)
  join(packet(4000))
  expect(heldBytes()).toBe(10_000)
  join(packet(0, true))
  expect([heldBytes(), weight()]).toEqual([0, 0])
})

test('error: an incomplete message is refused after a minute, and a longer message has more time', () => {
  const { join, age } = createMessageAssembler({ id: 1, priority: 1, receiveMessageCapacity: 10_000_000 })
  for (let i = 0; i < 100; i++) age(BASE_MESSAGE_TIME_MS, 1000)
  join(packet(1))
  age(BASE_MESSAGE_TIME_MS, 1000)
  expect(() => age(1000, 1000)).toThrow(tooLate)
  join(packet(999_999))
  // A message may take one minute, plus the time that its bytes need at the given rate. The message has a million bytes
  // now. At a thousand bytes per second, these bytes need 1,000 seconds. After the next line, exactly the allowed time
  // has passed.
  age(999_000, 1000)
  expect(() => age(1000, 1000)).toThrow(tooLate)
  join(packet(0, true))
  age(BASE_MESSAGE_TIME_MS, 1000)
  join(packet(1))
  age(BASE_MESSAGE_TIME_MS, 1000)
})
