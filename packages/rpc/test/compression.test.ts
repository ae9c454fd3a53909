import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { acceptedEncoding } from '../src/middleware/compression.ts'
import { sendRaw } from './raw.ts'
import { type RunningRpc, startRpc } from './start-rpc.ts'

let running: RunningRpc
let plain: RunningRpc
beforeAll(async () => {
  running = await startRpc({ compression: true, corsAllowedOrigins: ['https://a.example'] })
  plain = await startRpc()
})
afterAll(() => Promise.all([running.listener.stop(), plain.listener.stop()]))

interface RawAnswer {
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** An answer with its bytes on the wire. `fetch` is not used, because it would decompress them. */
async function ask(port: number, path: string, accept = '', method = 'GET'): Promise<RawAnswer> {
  const more = accept === '' ? '' : `Accept-Encoding: ${accept}\r\n`
  const { text } = await sendRaw(port, `${method} ${path} HTTP/1.0\r\n${more}\r\n`)
  const end = text.indexOf('\r\n\r\n')
  return { headers: text.slice(0, end).split('\r\n'), body: Buffer.from(text.slice(end + 4), 'latin1') }
}

describe('compression', () => {
  test.each([
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0.5, gzip', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
  ])('default: %s gets %s', async (accept, encoding, decompress) => {
    const expected = await ask(plain.port, '/block?height=5')
    const { headers, body } = await ask(running.port, '/block?height=5', accept)
    expect(headers).toContain(`Content-Encoding: ${encoding}`)
    expect(headers).toContain('Vary: Origin, Accept-Encoding')
    expect(headers).toContain('Cache-Control: public, max-age=86400')
    expect(body.length).toBeLessThan(expected.body.length)
    expect(decompress(body).equals(expected.body)).toBe(true)
  })

  test('behavior: short answers, and answers that the client does not accept compressed, are sent unchanged, with Vary', async () => {
    for (const [path, accept] of [
      ['/health', 'gzip'],
      ['/block?height=5', ''],
      ['/block?height=5', 'gzip;q=0, identity'],
    ] as const) {
      const expected = await ask(plain.port, path)
      const { headers, body } = await ask(running.port, path, accept)
      expect(headers.join('\n')).not.toContain('Content-Encoding')
      expect(headers).toContain('Vary: Origin, Accept-Encoding')
      expect(body.equals(expected.body)).toBe(true)
    }
    const { headers, body } = await ask(running.port, '/block?height=5', 'gzip', 'HEAD')
    expect(headers.join('\n')).not.toContain('Content-Encoding')
    expect(body.length).toBe(0)
  })

  test('behavior: many calls at once are all answered, compressed or not', async () => {
    const expected = await (await fetch(`http://127.0.0.1:${plain.port}/block?height=5`)).text()
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => (await fetch(`http://127.0.0.1:${running.port}/block?height=5`)).text()),
    )
    expect(answers.every((answer) => answer === expected)).toBe(true)
  })

  test.each([{}, { compression: true, strict: true }])(
    'behavior: off by default, and with strict: %j',
    async (options) => {
      await using other = await startRpc(options)
      const { headers } = await ask(other.port, '/block?height=5', 'gzip')
      expect(headers.join('\n')).not.toMatch(/Content-Encoding|Vary/)
    },
  )
})

describe('Accept-Encoding', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['br; q=0.9, gzip; q=1.0', 'gzip'],
    ['gzip;q=nonsense', 'gzip'],
  ])('default: %j is %j', (header, encoding) => {
    expect(acceptedEncoding(header)).toBe(encoding)
  })
})
