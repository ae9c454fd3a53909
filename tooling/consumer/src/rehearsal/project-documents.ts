import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../packages.ts'

const GUIDE = join(ROOT, 'tooling/docs/snippets/new-project.sh')

/** The commands with which a user creates and starts a new project, as the documentation shows them. */
export interface FirstCommands {
  /** The command that creates the project and installs its packages. */
  readonly create: string
  /** The folder of the project, relative to the folder in which `create` runs. */
  readonly folder: string
  /** The command that starts the chain for development. */
  readonly dev: string
}

/** Reads the commands of the guide. Rejects if the guide has other steps than those that the rehearsal runs. */
export async function firstCommands(): Promise<FirstCommands> {
  const [create = '', enter = '', dev = '', ...others] = (await readFile(GUIDE, 'utf8')).trim().split('\n')
  assert.match(enter, /^cd \S+$/, `the second command of ${GUIDE} does not enter the folder`)
  assert.deepEqual(others, [], `the rehearsal does not run these commands of ${GUIDE}`)
  return { create, folder: enter.slice('cd '.length), dev }
}

/** The commands in the README of a new project. */
export interface ReadmeCommands {
  /** The commands that run a script of the project with npm, such as `npm run dev`. */
  readonly scripts: readonly string[]
  /** The commands that send requests to the development chain, such as `curl`. */
  readonly calls: readonly string[]
}

/**
 * Reads the commands in the README of the project in `folder`. Rejects if the README has a command that begins neither
 * with `npm` nor with `curl`.
 */
export async function readmeCommands(folder: string): Promise<ReadmeCommands> {
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  const lines = [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap(([, code = '']) => code.trim().split('\n'))
    .map((line) => (line.split(' #')[0] ?? '').trimEnd())
  const scripts = lines.filter((line) => line.startsWith('npm '))
  const calls = lines.filter((line) => line.startsWith('curl '))
  assert.equal(scripts.length + calls.length, lines.length, 'the rehearsal does not run each command of the README')
  return { scripts, calls }
}
