import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const LIMIT = 60 * 1000
const source = new URL('../src/', import.meta.url)

test('a page with the client and its store is small, and imports nothing of Node', async () => {
  const input = new URL('browser-entry.ts', import.meta.url).pathname
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  expect(output[0].imports).toEqual([])
  const bytes = gzipSync(output[0].code).length
  console.log(`light client and store of a page: ${bytes} bytes of gzip`)
  expect(bytes).toBeLessThan(LIMIT)
})

test('the package uses no entry of @org/rpc but its client', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const texts = files.map((file) => readFileSync(new URL(file, source), 'utf8'))
  const entries = new Set(texts.flatMap((text) => text.match(/from '@org\/rpc[^']*'/g) ?? []))
  expect([...entries].filter((entry) => entry !== "from '@org/rpc/client'")).toEqual([])
})
