import { describe, expect, it } from 'vitest'
import { createChannel } from './channel.ts'
import { MCONN_ERRORS } from './errors.ts'

const packet = (text: string, eof: boolean) => ({ channelId: 1, eof, data: new TextEncoder().encode(text) })

describe('joining packets', () => {
  const join = (...packets: ReturnType<typeof packet>[]) => {
    const channel = createChannel({ id: 1, priority: 1, receiveMessageCapacity: 20_000 }, 1024)
    return packets.map((each) => new TextDecoder().decode(channel.join(each)))
  }

  it('joins messages of any number of packets', () => {
    expect(join(packet('one', true), packet('t', false), packet('wo', true), packet('', true))).toEqual([
      'one',
      '',
      'two',
      '',
    ])
    const long = 'abcdefghij'.repeat(1000)
    expect(join(...[...long].map((letter) => packet(letter, false)), packet('', true)).at(-1)).toBe(long)
  })

  it('keeps no bytes of empty packets', () => {
    const empty = Array.from({ length: 100_000 }, () => packet('', false))
    expect(join(...empty, packet('end', true)).at(-1)).toBe('end')
  })

  it("refuses a message above the channel's limit before it is complete", () => {
    const half = packet('x'.repeat(15_000), false)
    expect(() => join(half, half)).toThrow(expect.objectContaining({ code: MCONN_ERRORS.messageSize }))
  })

  it('accepts a message of the maximum size, and refuses one more byte', () => {
    const most = packet('x'.repeat(19_999), false)
    expect(join(most, packet('y', true)).at(-1)).toHaveLength(20_000)
    expect(() => join(most, packet('yz', true))).toThrow(expect.objectContaining({ code: MCONN_ERRORS.messageSize }))
  })
})
