import { chmod, copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAbciServer } from '@org/abci'
import { openLevelStore } from '@org/engine/storage'
import { noopLogger } from '@org/runtime'
import { utf8ToBytes } from '@org/types/bytes'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeHome, startNode } from './support/node.ts'
import { HALLEY, launch, temporaryFolder } from './support/process.ts'
import { canRunAsUser, giveToUser, launchAsUser } from './support/user.ts'

const APP = ['--proxy_app=persistent_kvstore', '--rpc.laddr=tcp://127.0.0.1:0', '--log_level=error'] as const

/** Makes a home whose chain has some blocks. */
async function usedHome(): Promise<string> {
  const home = await makeHome(temporaryFolder())
  const node = await startNode(home, '--proxy_app=persistent_kvstore', '--consensus.timeout_commit=20ms')
  await node.reach(3)
  expect(await node.stop()).toBe(0)
  return home
}

/** Expects that a start is refused with exactly one line that has an error. Resolves with this line. */
async function refusal(home: string, ...args: readonly string[]): Promise<string> {
  const node = launch(HALLEY, ['start', '--home', home, ...APP, ...args])
  expect(await node.ended).toBe(1)
  const lines = node.output().trim().split('\n')
  expect(lines.filter((line) => line.startsWith('ERROR: '))).toHaveLength(1)
  return lines.find((line) => line.startsWith('ERROR: ')) ?? ''
}

describe.each([
  ['config/genesis.json', 'NODE_GENESIS'],
  ['config/priv_validator_key.json', 'PRIVVAL_FILE_CORRUPT'],
  ['data/priv_validator_state.json', 'PRIVVAL_FILE_CORRUPT'],
  ['config/node_key.json', 'HOME_FILE_CORRUPT'],
])('the damaged file %s', (file, code) => {
  test.each(['{"broken":', '', '[]', '{"height":"x"}', '\u0000\u0001'])(
    'error: the content %j is refused with the name of the file, which is not changed',
    async (text) => {
      const home = await makeHome(temporaryFolder())
      const path = join(home, file)
      await writeFile(path, text)
      const line = await refusal(home)
      expect(line).toContain(path)
      expect(line).toContain(`[${code}]`)
      expect(await readFile(path, 'utf8')).toBe(text)
    },
  )
})

test('error: a node without known addresses, whose seeds cannot be resolved, is refused', async () => {
  const home = await makeHome(temporaryFolder())
  const line = await refusal(home, `--p2p.seeds=${'a'.repeat(40)}@${'no'.repeat(40)}.invalid:26656`)
  expect(line).toContain("address book is empty and couldn't resolve any seed nodes")
  expect(line).toContain('[CLI_NO_SEEDS]')
})

test.each([['--tx_index.indexer=psql']])('error: the setting %s is refused, as it is not built', async (...flags) => {
  const home = await makeHome(temporaryFolder())
  expect(await refusal(home, ...flags)).toMatch(
    /not built in this version of halley: set it to .* \[CONFIG_NOT_BUILT\]$/,
  )
  const devnet = launch(HALLEY, ['devnet', '--home', home, '--rpc.laddr=tcp://127.0.0.1:0', ...flags])
  expect(await devnet.ended).toBe(1)
  expect(devnet.output()).toContain('[CONFIG_NOT_BUILT]')
})

describe('a file or a folder that this user may not use', () => {
  test.skipIf(!canRunAsUser()).each([
    ['config', 'HOME_FILE_UNREADABLE', 'config'],
    ['data', 'HOME_FILE_UNREADABLE', 'data'],
    ['data/state.db', 'HOME_FILE_UNREADABLE', 'data/state.db'],
    ['data/state.db/LOCK', 'HOME_UNWRITABLE', 'data/state.db/LOCK'],
    ['data/state.db/CURRENT', 'STORE_PERMISSION_DENIED', 'data/state.db/CURRENT'],
    ['data/cs.wal', 'WAL_IO', 'data/cs.wal'],
    ['data/cs.wal/wal', 'WAL_IO', 'data/cs.wal/wal'],
    ['config/config.toml', 'HOME_FILE_UNREADABLE', 'config/config.toml'],
    ['config/node_key.json', 'HOME_FILE_UNREADABLE', 'config/node_key.json'],
    ['config/addrbook.json', 'ADDRESS_BOOK_FILE', 'config/addrbook.json'],
    ['config/priv_validator_key.json', 'PRIVVAL_IO', 'config/priv_validator_key.json'],
    ['data/priv_validator_state.json', 'PRIVVAL_IO', 'data/priv_validator_state.json'],
    ['data/kvstore.db/CURRENT', 'KVSTORE_OPEN', 'data/kvstore.db/CURRENT'],
  ])('error: %s is refused with %s, the path and the remedy', async (file, code, named) => {
    const home = await usedHome()
    const path = join(home, file)
    const { mode } = await stat(path)
    await chmod(path, 0)
    giveToUser(home)
    const node = launchAsUser(['start', '--home', home, ...APP])
    expect(await node.ended).toBe(1)
    await chmod(path, mode)
    const line = node.output().trim()
    expect(line).toMatch(/^ERROR: .*permission denied.*: run halley as the user who owns the file, or give this user/i)
    expect(line).toContain(join(home, named))
    expect(line).toContain(`(chown, chmod) [${code}]`)
    expect(line.split('\n')).toHaveLength(1)
  })

  test.skipIf(!canRunAsUser()).each([
    [['unsafe-reset-all'], 'HOME_FILE_UNREADABLE'],
    [['devnet', '--reset'], 'HOME_FILE_UNREADABLE'],
    [['rollback', '--hard'], 'HOME_FILE_UNREADABLE'],
    [['inspect'], 'HOME_FILE_UNREADABLE'],
  ])('error: the command %j is refused if the user may not open the data folder', async (args, code) => {
    const home = await makeHome(temporaryFolder())
    // `devnet --reset` opens the data folder only if the home has the configuration of a devnet.
    const config = join(home, 'config/config.toml')
    const text = await readFile(config, 'utf8')
    const devnet = text.replace(/^moniker = .*/m, 'moniker = "devnet"').replace('0.0.0.0:26656', '127.0.0.1:0')
    await writeFile(config, devnet)
    await chmod(join(home, 'data'), 0)
    giveToUser(home)
    const command = launchAsUser([...args, '--home', home])
    expect(await command.ended).toBe(1)
    await chmod(join(home, 'data'), 0o700)
    expect(command.output()).toContain('run halley as the user who owns the file')
    expect(command.output()).toMatch(new RegExp(`^ERROR: .* \\[${code}\\]\n$`))
  })
})

test('error: a file that cannot be read is not reported as damaged', async () => {
  const home = await makeHome(temporaryFolder())
  const path = join(home, 'config/genesis.json')
  await rm(path)
  await mkdir(path)
  const line = await refusal(home, '--genesis_hash=00')
  expect(line).toContain(`cannot read ${path}: EISDIR`)
  expect(line).toContain('[HOME_FILE_UNREADABLE]')
})

test.each([
  ['--moniker=Zürich', 'info.Moniker must be valid non-empty ASCII text without tabs, but got Zürich'],
  ['--p2p.external_address=1.2.3.4', '1.2.3.4'],
])('error: a start with %s is refused, because no node would accept it as a peer', async (flag, why) => {
  const line = await refusal(await makeHome(temporaryFolder()), '--p2p.laddr=tcp://127.0.0.1:0', flag)
  expect(line).toContain('peers will refuse this node because of its configuration')
  expect(line).toContain(why)
})

describe('a home in use', () => {
  test('behavior: a genesis file that was replaced after the first start is ignored with a warning', async () => {
    const home = await usedHome()
    const path = join(home, 'config/genesis.json')
    await copyFile(path, `${path}.kept`)
    const genesis = JSON.parse(await readFile(path, 'utf8')) as { chain_id: string }
    await writeFile(path, JSON.stringify({ ...genesis, chain_id: 'other' }))
    const node = await startNode(home, '--proxy_app=persistent_kvstore')
    expect(node.output()).toContain(`has another chain id (other, not ${genesis.chain_id})`)
    const { node_info: info } = await node.ask<{ node_info: { network: string } }>('/status')
    expect(info.network).toBe(genesis.chain_id)
    expect(await node.stop()).toBe(0)
  })

  test('behavior: changes of the genesis file are used until an application has accepted the genesis', async () => {
    const home = await makeHome(temporaryFolder())
    const path = join(home, 'config/genesis.json')
    const genesis = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
    const address = `unix://${join(home, 'app.sock')}`
    const seen: string[] = []
    const initChain = ({ appStateBytes }: { readonly appStateBytes: Uint8Array }) => {
      const state = new TextDecoder().decode(appStateBytes)
      seen.push(state)
      if (state === '') throw new Error('there is no app_state')
      return {}
    }
    const server = createAbciServer({ address, kind: 'socket' }, { app: { initChain }, logger: noopLogger })
    await server.start()
    onTestFinished(() => server.stop())
    const first = launch(HALLEY, ['start', '--home', home, ...APP, `--proxy_app=${address}`])
    expect(await first.ended).toBe(1)
    await writeFile(path, JSON.stringify({ ...genesis, app_state: { alice: 1 } }))
    const flags = [`--proxy_app=${address}`, '--consensus.create_empty_blocks=false']
    const node = await startNode(home, ...flags)
    expect(node.output()).toContain(
      `${path} differs from the genesis document of the first start: the file is used, because`,
    )
    expect(await node.stop()).toBe(0)

    await writeFile(path, JSON.stringify({ ...genesis, app_state: { alice: 2 } }))
    const again = await startNode(home, ...flags)
    expect(again.output()).toMatch(/differs from .*: the file is ignored, .* 'halley unsafe-reset-all --home HOME'/)
    expect(await again.stop()).toBe(0)
    expect(seen.slice(0, 2)).toEqual(['', '{"alice":1}'])
    expect(new Set(seen.slice(1))).toEqual(new Set(['{"alice":1}']))
  })

  test('error: an application with another app hash ends the start, and the error has both hashes', async () => {
    const home = await usedHome()
    const address = `unix://${join(home, 'app.sock')}`
    const app = {
      finalizeBlock: ({ txs }: { readonly txs: readonly Uint8Array[] }) => ({
        txResults: txs.map(() => ({})),
        appHash: Uint8Array.of(9),
      }),
    }
    const server = createAbciServer({ address, kind: 'socket' }, { app })
    await server.start()
    onTestFinished(() => server.stop())
    const line = await refusal(home, `--proxy_app=${address}`)
    expect(line).toContain('the application has 09, the chain has 0000000000000000')
    expect(line).toContain('[HANDSHAKE_APP_HASH_MISMATCH]')
  })

  test('error: a home of a newer version is refused', async () => {
    const home = await usedHome()
    const db = await openLevelStore(join(home, 'data/blockstore.db'))
    await db.write([{ type: 'put', key: utf8ToBytes('version'), value: utf8ToBytes('2') }])
    await db.close()
    const line = await refusal(home)
    expect(line).toContain('a newer version of halley wrote this home')
    expect(line).toContain('[NODE_HOME_FORMAT]')
  })
})
