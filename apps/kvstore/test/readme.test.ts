import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { start } from './processes.ts'

test('default: the example of the README runs', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const args = ['--no-warnings', '--input-type=module-typescript', '--eval', code]
  await using running = start(process.execPath, args, fileURLToPath(new URL('..', import.meta.url)))
  expect(await running.line(/^satoshi$/)).toBe('satoshi')
})
