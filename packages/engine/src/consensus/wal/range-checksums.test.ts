import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crc32c, crc32cState } from './crc32c.ts'
import { encodeFrame, findFrame, MAX_FRAME_DATA, readFrame } from './frame.ts'
import { createRangeChecksums } from './range-checksums.ts'
import { scanFile } from './scan-file.ts'

/** Returns a complete frame: a time, and then `length` bytes of data. */
const frameOf = (length: number, fill: number): Uint8Array => {
  const data = new Uint8Array(4 + length).fill(fill)
  data.set([0x0a, 2, 8, 1])
  return encodeFrame(data)
}

/**
 * Returns bytes that contain the starts of many frames. Each frame claims to have `length` bytes of data, so the
 * later frames start inside the earlier ones.
 */
function overlapping(size: number, length: number): Uint8Array {
  const unit = [0, length >>> 16, (length >>> 8) & 255, length & 255, 0x0a, 1]
  return Uint8Array.from({ length: size }, (_, i) => unit[i % unit.length] as number)
}

/** Counts the bytes that a scan of the file reads for checksums. */
function bytesRead(file: Uint8Array): number {
  let count = 0
  scanFile(
    file,
    createRangeChecksums(file, (state, bytes, range) => {
      count += range.to - range.from
      return crc32cState(state, bytes, range)
    }),
  )
  return count
}

describe('createRangeChecksums', () => {
  it('default: the checksum of each range equals the checksum of its bytes alone', () => {
    const file = fc.uint8Array({ maxLength: 3000, size: 'max' })
    fc.assert(
      fc.property(file, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 20 }), (bytes, places) => {
        const checksums = createRangeChecksums(bytes)
        for (const [one, other] of places) {
          const [a, b] = [one % (bytes.length + 1), other % (bytes.length + 1)]
          const [from, to] = [Math.min(a, b), Math.max(a, b)]
          expect(checksums(from, to)).toBe(crc32c(bytes.subarray(from, to)))
        }
      }),
    )
  })

  it('default: the checksum of the longest record equals the checksum of its bytes alone', () => {
    const bytes = Uint8Array.from({ length: MAX_FRAME_DATA + 200 }, (_, i) => (i * i) >>> 3)
    for (const from of [0, 1, 63, 64, 200])
      expect(createRangeChecksums(bytes)(from, from + MAX_FRAME_DATA)).toBe(
        crc32c(bytes.subarray(from, from + MAX_FRAME_DATA)),
      )
  })
})

describe('findFrame', () => {
  it('default: finds the same frame as a search that reads at each offset', () => {
    const junk = fc
      .array(fc.constantFrom(0, 1, 2, 9, 0x0a, 0xff), { maxLength: 40 })
      .map((list) => Uint8Array.from(list))
    const frame = fc.tuple(fc.nat(400), fc.nat(255)).map(([length, fill]) => frameOf(length, fill))
    const broken = fc.tuple(frame, fc.nat()).map(([bytes, at]) => {
      bytes[at % bytes.length] = (bytes[at % bytes.length] as number) ^ 0x11
      return bytes
    })
    const file = fc.array(fc.oneof(junk, frame, broken), { maxLength: 12 }).map((pieces) => Buffer.concat(pieces))
    fc.assert(
      fc.property(file, fc.nat(), (bytes, place) => {
        const from = place % (bytes.length + 1)
        const isStart = (at: number): boolean =>
          bytes[at + 8] === 0x0a && (bytes[at + 9] ?? 18) <= 17 && readFrame(bytes, at).kind === 'frame'
        const offsets = Array.from({ length: bytes.length - from }, (_, i) => from + i)
        expect(findFrame(bytes, from)).toBe(offsets.find(isStart))
      }),
    )
  })
})

describe('scanFile', () => {
  it('default: reads each byte a few times, even if many frames overlap', () => {
    const size = 60_000
    expect(bytesRead(overlapping(size, size / 2))).toBeGreaterThan(size / 2)
    expect(bytesRead(overlapping(size, size / 2))).toBeLessThan(40 * size)
    expect(bytesRead(overlapping(4 * size, 2 * size))).toBeLessThan(40 * 4 * size)
  })

  it('behavior: claims of long frames between good frames are not read once per claim', () => {
    const good = frameOf(2, 7)
    const claim = Uint8Array.from([1, 2, 3, 4, 0, 0, 0x80, 0, 0x0a, 1])
    const damaged = (times: number): Uint8Array =>
      Buffer.concat([...Array.from({ length: times }, () => Buffer.concat([claim, good])), new Uint8Array(0x8000)])
    const file = damaged(4000)
    expect(scanFile(file).damages).toHaveLength(4000)
    expect(bytesRead(file)).toBeLessThan(40 * file.length)
  })
})
