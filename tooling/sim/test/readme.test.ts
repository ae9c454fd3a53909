import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseCommand } from '../src/command.ts'
import { jobNamed } from '../src/named.ts'

const README = new URL('../../../packages/simnet/README.md', import.meta.url)

/** Returns the arguments of each command `pnpm sim` in the README. */
function commandsOf(readme: string): readonly (readonly string[])[] {
  const lines = [...readme.matchAll(/^npx pnpm@\S+ sim +(.*?)(?: *#.*)?$/gm)]
  return lines.map(([, text = '']) =>
    [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ''),
  )
}

test('default: the command line accepts each command in the README of simnet, and each name exists', () => {
  const commands = commandsOf(readFileSync(README, 'utf8')).map((args) => parseCommand(args))
  const kinds = commands.map(({ kind }) => kind)
  const words = ['crash', 'short', 'chosen', 'join', 'name', 'kill', 'mutants', 'explore', 'speed']
  expect(kinds).toEqual(['seeds', 'seed', ...words])
  for (const command of commands) if (command.kind === 'name') expect(jobNamed(command.name)?.name).toBe(command.name)
})
