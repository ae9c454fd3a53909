import { utf8ToBytes } from '@org/types/bytes'
import { describe, expect, it } from 'vitest'
import { crc32c } from './crc32c.ts'
import { WAL_ERRORS } from './errors.ts'
import { encodeFrame, findFrame, MAX_FRAME_DATA, readFrame } from './frame.ts'

describe('crc32c', () => {
  it('default: the checksum equals the check value and the vectors of RFC 3720', () => {
    expect(crc32c(utf8ToBytes('123456789'))).toBe(0xe3069283)
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa)
    expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43)
    expect(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe(0x46dd794e)
    expect(crc32c(new Uint8Array(0))).toBe(0)
  })
})

const data = Uint8Array.from([0x0a, 2, 8, 1, 0x12, 0])

describe('frame', () => {
  it('default: a frame has checksum and length, big-endian, and then the data', () => {
    const frame = encodeFrame(data)
    expect(frame.length).toBe(14)
    expect(readFrame(frame, 0)).toEqual({ kind: 'frame', offset: 0, next: 14, data })
    expect(readFrame(frame, 14)).toEqual({ kind: 'end', offset: 14 })
  })

  it('behavior: detects a cut at each length and each flipped bit', () => {
    const frame = encodeFrame(data)
    for (let cut = 1; cut < frame.length; cut++) expect(readFrame(frame.subarray(0, cut), 0).kind).toBe('bad')
    for (let bit = 0; bit < frame.length * 8; bit++) {
      const flipped = frame.slice()
      flipped[bit >>> 3] = (flipped[bit >>> 3] as number) ^ (1 << (bit & 7))
      expect(readFrame(flipped, 0).kind).toBe('bad')
    }
  })

  it('behavior: reads no frame from a tail of zeros', () => {
    expect(readFrame(new Uint8Array(4096), 0).kind).toBe('bad')
    expect(findFrame(new Uint8Array(4096), 0)).toBeUndefined()
  })

  it('behavior: the next readable frame is found behind garbage', () => {
    const bytes = new Uint8Array(40)
    bytes.fill(0x0a, 0, 20)
    bytes.set(encodeFrame(data), 20)
    expect(findFrame(bytes, 0)).toBe(20)
  })

  it('error: a message above the limit is refused', () => {
    expect(() => encodeFrame(new Uint8Array(MAX_FRAME_DATA + 1))).toThrow(
      expect.objectContaining({ code: WAL_ERRORS.tooBig }),
    )
  })
})
