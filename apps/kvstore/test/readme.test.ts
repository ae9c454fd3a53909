import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launch } from '@org/golden'
import { expect, test } from 'vitest'

test('default: the example of the README runs', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const args = ['--no-warnings', '--input-type=module-typescript', '--eval', code]
  await using running = launch(process.execPath, args, { cwd: fileURLToPath(new URL('..', import.meta.url)) })
  expect(await running.saw(/^satoshi$/)).toBe('satoshi')
})
