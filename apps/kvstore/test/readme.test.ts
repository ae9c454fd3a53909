import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launch, run } from '@org/golden'
import { expect, test } from 'vitest'

test('default: the example of the README runs', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const args = ['--no-warnings', '--input-type=module-typescript', '--eval', code]
  await using running = launch(process.execPath, args, { cwd: fileURLToPath(new URL('..', import.meta.url)) })
  expect(await running.saw(/^satoshi$/)).toBe('satoshi')
})

test('default: the command of the README has the options and the choices of the help', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const shown = /^```\n(kvstore .*)\n```/m.exec(readme)?.[1] ?? ''
  const { stdout } = await run(fileURLToPath(new URL('../bin/kvstore', import.meta.url)), ['--help'])
  const help = stdout.replaceAll(/\s+/g, ' ')
  const options = (text: string) => [...new Set(text.match(/--[a-z][a-z-]+/g))].filter((option) => option !== '--help')
  expect(options(shown).toSorted()).toEqual(options(help).toSorted())
  const choices = [...shown.matchAll(/--[a-z-]+ (\S+\|[^\]]+)/g)].map(([, values = '']) => values.split('|'))
  expect(choices).toHaveLength(2)
  for (const values of choices) expect(help).toContain(values.map((value) => `"${value}"`).join(', '))
})
