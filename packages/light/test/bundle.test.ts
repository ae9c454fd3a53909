import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const source = new URL('../src/', import.meta.url)

async function gzipOf(entry: string): Promise<number> {
  const input = new URL(entry, import.meta.url).pathname
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  expect(output[0].imports).toEqual([])
  return gzipSync(output[0].code).length
}

test.each([
  ['the client and its store', 'browser-entry.ts', 53_200],
  ['verified answers, too', 'browser-verified-entry.ts', 60_100],
])('a page is small, and imports nothing of Node: %s', async (name, entry, limit) => {
  const bytes = await gzipOf(entry)
  console.log(`a page with ${name}: ${bytes} bytes of gzip`)
  expect(bytes).toBeLessThan(limit)
})

test('the package imports only the client of @org/rpc', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const texts = files.map((file) => readFileSync(new URL(file, source), 'utf8'))
  const entries = new Set(texts.flatMap((text) => text.match(/from '@org\/rpc[^']*'/g) ?? []))
  expect([...entries].filter((entry) => entry !== "from '@org/rpc/client'")).toEqual([])
})
