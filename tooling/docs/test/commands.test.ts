import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder, run } from '@org/golden'
import { expect, test } from 'vitest'
import { addressOf, markdownFiles } from '../src/addresses.ts'

const root = new URL('../../../', import.meta.url).pathname
const halley = join(root, 'apps/node/bin/halley')

interface Command {
  readonly page: string
  readonly names: readonly string[]
  readonly flags: readonly string[]
}

/** Returns the command and the flags of a line such as `halley snapshot trust-root --node URL  # a comment`. */
function commandOf(page: string, line: string): Command {
  const words = line
    .replace(/^.*?\bhalley /, '')
    .replace(/ #.*| && .*| \|\| .*/, '')
    .split(' ')
  const end = words.findIndex((word) => !/^[a-z][a-z-]+$/.test(word))
  const names = words.slice(0, end < 0 ? words.length : end)
  const flags = words.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*/, ''))
  return { page, names: names[0] === 'snapshot' ? names.slice(0, 2) : names.slice(0, 1), flags }
}

const SNIPPETS = 'tooling/docs/snippets'

/** Returns the lines of all commands in a document or a snippet. */
function linesOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8')
  if (file.endsWith('.sh')) return text.split('\n')
  const blocks = text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)
  return [...blocks].flatMap(([, code = '']) => code.split('\n'))
}

const pages = markdownFiles(root).filter((page) => addressOf(page) !== undefined && !page.startsWith('tooling/'))
const snippets = readdirSync(join(root, SNIPPETS)).filter((name) => name.endsWith('.sh'))
const commands = [...pages, ...snippets.map((name) => `${SNIPPETS}/${name}`)].flatMap((file) =>
  linesOf(file)
    .filter((line) => /^(?:\S+\/)?halley [a-z-]|^npx \S+ halley /.test(line))
    .map((line) => commandOf(file, line)),
)

test('default: each `halley` command in a document exists, with its flags', async () => {
  await using home = await makeTemporaryFolder('halley-commands-')
  expect((await run(halley, ['init', '--home', home.path])).code).toBe(0)
  const config = readFileSync(join(home.path, 'config/config.toml'), 'utf8')
  const keys = new Set([...config.matchAll(/^([a-z_]+) = /gm)].map(([, key = '']) => key))
  const helps = new Map<string, string>()
  expect(commands.length).toBeGreaterThan(20)
  for (const { page, names, flags } of commands) {
    const command = names.join(' ')
    if (!helps.has(command)) {
      const { code, stdout } = await run(halley, [...names, '--help'])
      expect(code, `${page}: halley ${command}`).toBe(0)
      helps.set(command, stdout)
    }
    const help = helps.get(command) ?? ''
    for (const flag of flags) {
      const isKey = keys.has(flag.replace(/^--(?:[a-z0-9_]+\.)?/, '').replaceAll('-', '_'))
      const isNamed = new RegExp(`(?:^|[\\s,])${flag}(?![\\w-])`).test(help)
      expect(isKey || isNamed || flag === '--home' || flag === '--help', `${page}: halley ${command} ${flag}`).toBe(
        true,
      )
    }
  }
})
