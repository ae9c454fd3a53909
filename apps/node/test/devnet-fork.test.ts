import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { unpackHome } from '@org/golden'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import { createDevnetClient } from '@org/rpc/client/devnet'
import { describe, expect, test } from 'vitest'
import { findCometbft, HALLEY, launch, run, temporaryFolder } from './support/process.ts'

const cometbft = findCometbft()

/** Returns the content of all files below a folder, by path. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true }).map(String)
  const files = paths.filter((path) => statSync(join(folder, path)).isFile())
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'hex')]))
}

const PORTS = ['--rpc.laddr=tcp://127.0.0.1:0', '--p2p.laddr=tcp://127.0.0.1:0'] as const

async function control(...args: readonly string[]) {
  const running = launch(HALLEY, ['devnet', '--control', ...PORTS, ...args])
  await running.saw('dev_snapshot')
  const url = /RPC +(\S+)/.exec(running.output())?.[1] ?? ''
  const transport = createHttpTransport(url)
  return { ...running, client: createRpcClient(transport), devnet: createDevnetClient(transport) }
}

const fork = (home: string, ...args: readonly string[]) => control('--fork', home, ...args)

async function goldenHome(name: string): Promise<string> {
  const home = join(temporaryFolder(), 'home')
  await unpackHome(name, home)
  return home
}

describe('a fork of a stopped home of the Go node', () => {
  test.each([1, 4])(
    'default: the chain of four validators continues with %i keys of this process',
    async (validators) => {
      const home = await goldenHome('kvstore-four/home-node0.tar.gz')
      const before = contentOf(home)
      const { client, devnet, stop } = await fork(home, '--validators', String(validators), '--proxy_app=kvstore-v0.38')
      const { syncInfo } = await client.status()
      const height = Number(syncInfo.latestBlockHeight)
      expect(height).toBeGreaterThan(1)
      const old = await client.block({ height })
      const { validators: originals } = await client.validators({ height })
      expect((await client.broadcastTxCommit({ tx: 'after=fork' })).txResult.code).toBe(0)
      const { block } = await client.block({ height: height + 1 })
      expect(block?.header.lastBlockId.hash).toEqual(old.blockId.hash)
      const { validators: own } = await client.validators({ height: height + 1 })
      expect(own).toHaveLength(validators)
      // The header of the last old block contains the hash of the validators of the next height. The first block of the
      // fork has this height, but other validators. So a light client refuses the first block of the fork.
      expect(block?.header.validatorsHash).not.toEqual(old.block?.header.nextValidatorsHash)
      const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
      expect(originals.map(({ address }) => hex(address))).not.toContain(hex(own[0]?.address ?? new Uint8Array(0)))
      const id = await devnet.snapshot()
      await devnet.mine(3)
      await devnet.revert(id)
      expect(await devnet.reset()).toBe(height)
      expect(await devnet.mine(2)).toBe(height + 2)
      expect(await stop('SIGINT')).toBe(0)
      expect(contentOf(home)).toEqual(before)
    },
  )

  test.skipIf(cometbft === undefined)(
    'default: the state of persistent_kvstore continues (skipped without a cometbft on PATH)',
    async () => {
      const home = join(temporaryFolder(), 'home')
      await run(cometbft as string, ['init', '--home', home])
      const file = join(home, 'config/config.toml')
      const config = readFileSync(file, 'utf8').replace(/^proxy_app = .*/m, 'proxy_app = "persistent_kvstore"')
      writeFileSync(file, config.replace('timeout_commit = "1s"', 'timeout_commit = "10ms"'))
      const laddr = '--rpc.laddr=tcp://127.0.0.1:0'
      const go = launch(cometbft as string, ['start', '--home', home, laddr, '--p2p.laddr=tcp://127.0.0.1:0'])
      await go.saw('height=3')
      await go.stop('SIGTERM')
      const before = contentOf(home)
      const { client, stop } = await fork(home)
      expect((await client.broadcastTxCommit({ tx: 'name=satoshi' })).txResult.code).toBe(0)
      expect(new TextDecoder().decode((await client.abciQuery({ data: 'name' })).response.value)).toBe('satoshi')
      expect(await stop('SIGINT')).toBe(0)
      expect(contentOf(home)).toEqual(before)
    },
  )

  test('behavior: while the application of the home does not answer, the command says for what it waits', async () => {
    const home = await goldenHome('kvstore-four/home-node0.tar.gz')
    const running = launch(HALLEY, ['devnet', '--fork', home, ...PORTS, '--proxy_app=tcp://127.0.0.1:1'])
    await running.saw('Waiting for the application at tcp://127.0.0.1:1. Start it, or name another one')
    await running.stop('SIGINT')
  })

  test('error: a folder without a chain, too many validators, and flags that do not fit are refused', async () => {
    const home = await goldenHome('kvstore-four/home-node0.tar.gz')
    const refusal = async (...args: readonly string[]): Promise<string> => {
      const { code, stderr } = await run(HALLEY, ['devnet', '--rpc.laddr=tcp://127.0.0.1:0', ...args])
      expect(code).toBe(1)
      return stderr
    }
    expect(await refusal('--fork', temporaryFolder())).toContain('DEVNET_FORK_NO_HOME')
    expect(await refusal('--fork', home, '--validators', '9')).toContain('DEVNET_FORK_VALIDATORS')
    expect(await refusal('--fork', home, '--app-state', '{}')).toContain('leave --app-state out')
    expect(await refusal('--fork', home, '--rpc.laddr=tcp://0.0.0.0:0')).toContain('is open to other machines')
    const empty = join(temporaryFolder(), 'empty')
    cpSync(home, empty, { recursive: true })
    rmSync(join(empty, 'data/state.db'), { recursive: true })
    expect(await refusal('--fork', empty)).toContain('DEVNET_FORK_NO_HOME')
  })
})

describe('a fork of a home with symbolic links', () => {
  test('behavior: a database that is a link to a folder is read, and its files do not change', async () => {
    const home = await goldenHome('kvstore-four/home-node0.tar.gz')
    const disk = join(temporaryFolder(), 'disk')
    mkdirSync(disk)
    for (const name of ['blockstore.db', 'state.db']) {
      renameSync(join(home, 'data', name), join(disk, name))
      symlinkSync(join(disk, name), join(home, 'data', name))
    }
    const before = [contentOf(home), contentOf(disk)]
    const { devnet, stop } = await fork(home, '--proxy_app=kvstore-v0.38')
    expect(await devnet.mine(1)).toBeGreaterThan(2)
    expect(await stop('SIGINT')).toBe(0)
    expect([contentOf(home), contentOf(disk)]).toEqual(before)
  })
})

describe('dev_fork', () => {
  test('default: a running devnet continues a copy of the chain of a stopped home, with keys of its own', async () => {
    const home = await goldenHome('kvstore-four/home-node0.tar.gz')
    const before = contentOf(home)
    const { client, devnet, stop } = await control('--validators', '2', '--proxy_app=kvstore-v0.38')
    await devnet.mine(2)
    const height = await devnet.fork(home)
    expect(height).toBeGreaterThan(2)
    expect((await devnet.info()).validators).toHaveLength(2)
    const { blockId } = await client.block({ height })
    expect((await client.broadcastTxCommit({ tx: 'after=fork' })).txResult.code).toBe(0)
    expect((await client.block({ height: height + 1 })).block?.header.lastBlockId.hash).toEqual(blockId.hash)
    await devnet.mine(2)
    expect(await devnet.reset()).toBe(height)
    expect(await devnet.fork(home, 1)).toBe(height)
    expect((await devnet.info()).validators).toHaveLength(1)
    expect(await devnet.mine(1)).toBe(height + 1)
    expect(await stop('SIGINT')).toBe(0)
    expect(contentOf(home)).toEqual(before)
  })

  test('error: a folder without a chain, a running node and too many validators are refused, and the present chain continues', async () => {
    const home = await goldenHome('kvstore-four/home-node0.tar.gz')
    const { devnet, stop } = await control()
    await devnet.mine(2)
    const running = launch(HALLEY, ['start', '--home', home, ...PORTS, '--proxy_app=kvstore-v0.38'])
    await running.saw('This node is a validator')
    await expect(devnet.fork(home)).rejects.toThrow('[HOME_LOCKED]')
    await running.stop('SIGTERM')
    await expect(devnet.fork(temporaryFolder())).rejects.toThrow('[DEVNET_FORK_NO_HOME]')
    await expect(devnet.fork(home, 9)).rejects.toThrow('[DEVNET_FORK_VALIDATORS]')
    await expect(devnet.fork(home, 101)).rejects.toThrow('from 1 to 100')
    expect(await devnet.mine(1)).toBe(3)
    expect(await stop('SIGINT')).toBe(0)
  })
})
