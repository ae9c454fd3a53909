import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock } from '@org/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { DEVNET_PRESET } from '../config/index.ts'
import { type OpenedHome, openHome } from './open-home.ts'
import { isDevnetHome } from './reset-devnet.ts'

function newHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'halley-node-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'home')
}

const MARKER = 'made-by-halley-devnet.txt'

function open(home: string, forDevnet = true): OpenedHome {
  const context = { home, flags: new Map<string, string>(), env: {}, interactive: false, clock: createSystemClock() }
  return openHome(context, { create: true, forDevnet, ...(forDevnet && { preset: DEVNET_PRESET }) })
}

/** Replaces a text in the config.toml of a home. */
function edit(home: string, from: string, to: string): void {
  const path = join(home, 'config/config.toml')
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
}

test('default: a new home gets a marker, and stays the home of a devnet when its settings change', () => {
  const home = newHome()
  expect(isDevnetHome(open(home))).toBe(true)
  expect(readdirSync(home).toSorted()).toEqual(['config', 'data', MARKER])
  edit(home, 'moniker = "devnet"', 'moniker = "mine"')
  edit(home, 'tcp://127.0.0.1:0', 'tcp://127.0.0.1:26656')
  expect(isDevnetHome(open(home))).toBe(true)
  // A home with the marker counts as a home of a devnet, even if the user has removed config.toml.
  writeFileSync(join(home, 'data/file'), '')
  rmSync(join(home, 'config/config.toml'))
  expect(isDevnetHome(open(home))).toBe(true)
  rmSync(join(home, MARKER))
  edit(home, 'moniker = "devnet"', 'moniker = "mine"')
  expect(isDevnetHome(open(home))).toBe(false)
})

test.each(['persistent_peers', 'seeds'])(
  'error: a home that became a member of another network is foreign, although it has a marker (%s)',
  (key) => {
    const home = newHome()
    open(home)
    edit(home, 'tcp://127.0.0.1:0', 'tcp://0.0.0.0:26656')
    expect(isDevnetHome(open(home))).toBe(true)
    edit(home, `\n${key} = ""`, `\n${key} = "${'ab'.repeat(20)}@198.51.100.7:26656"`)
    expect(isDevnetHome(open(home))).toBe(false)
  },
)

test('default: a home that an older version made has no marker, and its settings decide', () => {
  const home = newHome()
  open(home)
  rmSync(join(home, MARKER))
  expect(isDevnetHome(open(home))).toBe(true)
  expect(readdirSync(home)).not.toContain(MARKER)
})

test('default: a home of another command gets no marker', () => {
  const home = newHome()
  open(home, false)
  expect([isDevnetHome(open(home)), readdirSync(home).toSorted()]).toEqual([false, ['config', 'data']])
})

test('error: a home without config.toml but with other files is refused and not changed', () => {
  const home = newHome()
  mkdirSync(join(home, 'config'), { recursive: true })
  writeFileSync(join(home, 'config/priv_validator_key.json'), '{}')
  const message = expect.stringMatching(/priv_validator_key\.json.* --home\. .* halley init --home \//)
  expect(() => open(home)).toThrow(expect.objectContaining({ code: 'HOME_FOREIGN', message }))
  expect([readdirSync(home), readdirSync(join(home, 'config'))]).toEqual([['config'], ['priv_validator_key.json']])
})

test('default: empty folders and hidden files do not make a home foreign', () => {
  const home = newHome()
  for (const folder of ['config', 'data', 'lost+found']) mkdirSync(join(home, folder), { recursive: true })
  writeFileSync(join(home, '.DS_Store'), '')
  expect(isDevnetHome(open(home))).toBe(true)
})

test('default: files beside the folders config and data do not make a home foreign', () => {
  const home = newHome()
  mkdirSync(join(home, 'src'), { recursive: true })
  for (const file of ['devnet.log', 'package.json', 'src/app.ts']) writeFileSync(join(home, file), '')
  expect(isDevnetHome(open(home))).toBe(true)
})
