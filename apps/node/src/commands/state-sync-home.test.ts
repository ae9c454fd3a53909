import fs, { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { configToToml, resolveConfig } from '../config/index.ts'
import { openStateSyncHome } from './state-sync-home.ts'

const VALUES = {
  rpc_servers: '"http://one:26657,http://two:26657"',
  trust_height: '5',
  trust_hash: `"${'ab'.repeat(32)}"`,
}

function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'halley-statesync-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  mkdirSync(join(home, 'config'))
  return home
}

test('behavior: a changed config.toml keeps its permissions, and is on the disk before it replaces the old file', () => {
  const home = makeHome()
  const file = join(home, 'config/config.toml')
  fs.writeFileSync(file, configToToml(resolveConfig({ home }).config))
  chmodSync(file, 0o600)
  const sync = vi.spyOn(fs, 'fsyncSync')
  onTestFinished(() => sync.mockRestore())
  openStateSyncHome(home).write(VALUES)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toContain('trust_height = 5')
  expect(sync).toHaveBeenCalledOnce()
})

test('behavior: if config.toml is a symbolic link, the file that the link names is changed', () => {
  const home = makeHome()
  const [link, file] = [join(home, 'config/config.toml'), join(home, 'shared.toml')]
  fs.writeFileSync(file, configToToml(resolveConfig({ home }).config))
  symlinkSync(file, link)
  openStateSyncHome(home).write(VALUES)
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(readFileSync(file, 'utf8')).toContain('trust_height = 5')
})
