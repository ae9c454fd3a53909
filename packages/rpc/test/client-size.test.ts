import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const LIMIT = 15 * 1024

test.each(['browser', 'node'] as const)('default: the client is small, bundled for a %s', async (platform) => {
  const input = new URL('../src/client/index.ts', import.meta.url).pathname
  const bundle = await rolldown({ input, platform, logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  expect(output[0].imports).toEqual([])
  const bytes = gzipSync(output[0].code).length
  console.log(`${bytes} bytes`)
  expect(bytes).toBeLessThan(LIMIT)
})
