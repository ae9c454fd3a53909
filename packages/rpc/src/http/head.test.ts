import { expect, test } from 'vitest'
import { createChunkedBody } from './chunked.ts'
import { parseHead } from './head.ts'
import { RequestReader } from './request-reader.ts'
import { trimBlanks, trimBlanksAtEnd } from './trim-blanks.ts'

const NANOSECONDS_PER_MILLISECOND = 1_000_000n

/**
 * Returns the shortest duration of three runs, in nanoseconds. Returns at least a millisecond, because differences
 * between shorter durations are noise.
 */
function shortest(work: () => void): number {
  let best = 1n << 62n
  for (let run = 0; run < 3; run++) {
    const start = process.hrtime.bigint()
    work()
    const took = process.hrtime.bigint() - start
    if (took < best) best = took
  }
  return Number(best < NANOSECONDS_PER_MILLISECOND ? NANOSECONDS_PER_MILLISECOND : best)
}

const headWith = (value: string): string => `GET / HTTP/1.1\r\nHost: h\r\nX-A: ${value}\r`

test('default: blanks at both ends of a header value are removed, blanks inside it stay', () => {
  expect(parseHead(headWith(' \t a \t b\t ')).headers.get('x-a')).toBe('a \t b')
  expect(parseHead(headWith(' \t ')).headers.get('x-a')).toBe('')
  expect(trimBlanks('')).toBe('')
  expect(trimBlanks('xx ', 2)).toBe('')
  expect(trimBlanksAtEnd(' a ')).toBe(' a')
})

test('behavior: a header value full of blanks costs as much as a value full of letters', () => {
  const length = 30_000
  const letters = shortest(() => parseHead(headWith(`a${'x'.repeat(length)}b`)))
  const blanks = shortest(() => parseHead(headWith(`a${' '.repeat(length)}b`)))
  expect(blanks / letters).toBeLessThan(50)
})

test('behavior: a chunk size that is followed by blanks is read in linear time', () => {
  const push = (line: string) => () => {
    for (let i = 0; i < 50; i++) createChunkedBody().push(Buffer.from(`${line}\r\n`), 0)
  }
  const extension = shortest(push(`1;${'x'.repeat(4000)}`))
  const blanks = shortest(() => {
    for (let i = 0; i < 50; i++)
      expect(() => createChunkedBody().push(Buffer.from(`1${' '.repeat(4000)}x\r\n`), 0)).toThrow('invalid byte')
  })
  expect(blanks / extension).toBeLessThan(50)
})

test('behavior: many requests in one piece of input are searched once, with any end of their heads', () => {
  const count = 30_000
  const read = (request: string) => () => {
    const reader = new RequestReader({ maxHeaderBytes: 1024, maxBodyBytes: 1024 }, parseHead)
    reader.append(Buffer.from(request.repeat(count)))
    let requests = 0
    for (let reading = reader.next(); reading !== undefined; reading = reader.next())
      if (reading.kind === 'request') requests++
    expect(requests).toBe(count)
  }
  const withReturn = shortest(read('GET / HTTP/1.0\r\n\r\n'))
  const bare = shortest(read('GET / HTTP/1.0\n\n'))
  expect(bare / withReturn).toBeLessThan(10)
})
