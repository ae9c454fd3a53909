import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createConnections } from '@org/abci'
import { run } from '@org/golden'
import { describe, expect, test } from 'vitest'
import { STATE_KEY } from '../src/state.ts'
import { openLevelStorage } from '../src/store/index.ts'
import { temporaryDirectory, text } from './helpers.ts'
import { startKvStore } from './processes.ts'

const command = fileURLToPath(new URL('../bin/kvstore', import.meta.url))

describe('default', () => {
  test.each(['socket', 'grpc'] as const)('state in a home survives a kill, over %s', async (kind) => {
    await using directory = await temporaryDirectory()
    const args = ['--abci', kind, '--home', directory.path]
    for (const height of [1, 2, 3]) {
      await using kvstore = await startKvStore(args)
      const connections = createConnections({ kind, address: kvstore.address })
      await connections.start(AbortSignal.timeout(20_000))
      const { consensus, query } = connections
      expect((await query.info({ version: '', blockVersion: 0n, p2pVersion: 0n, abciVersion: '' })).data).toBe(
        `{"size":${height - 1}}`,
      )
      const empty = { round: 0, votes: [] }
      const bytes = new Uint8Array(0)
      await consensus.finalizeBlock({
        txs: [text(`key${height}=value`)],
        decidedLastCommit: empty,
        misbehavior: [],
        hash: bytes,
        height,
        time: 0n,
        nextValidatorsHash: bytes,
        proposerAddress: bytes,
      })
      await consensus.commit()
      await connections.stop()
      await kvstore.stop('SIGKILL')
    }
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('%s stops cleanly, also with connections open', async (signal) => {
    await using kvstore = await startKvStore([])
    const connections = createConnections({ kind: 'socket', address: kvstore.address })
    await connections.start(AbortSignal.timeout(20_000))
    expect(await kvstore.stop(signal)).toBe(0)
    await connections.stop()
  })

  test('a socket file that a killed server left behind is replaced', async () => {
    await using directory = await temporaryDirectory()
    const address = `unix://${directory.path}/kv.sock`
    for (const kind of ['socket', 'socket', 'grpc', 'grpc'] as const) {
      await using kvstore = await startKvStore(['--abci', kind], address)
      await kvstore.stop('SIGKILL')
    }
  })
})

describe('error: refused with one coded line and exit code 1', () => {
  test('other rules', async () => {
    await using directory = await temporaryDirectory()
    const home = ['--home', directory.path]
    {
      await using kvstore = await startKvStore([...home, '--rules', 'v0.38'])
      const connections = createConnections({ kind: 'socket', address: kvstore.address })
      await connections.start(AbortSignal.timeout(20_000))
      await connections.consensus.commit()
      await connections.stop()
      await kvstore.stop()
    }
    const { code, stderr } = await run(command, [...home, '--address', 'tcp://127.0.0.1:0'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^kvstore: KVSTORE_OTHER_RULES: .*\n$/)
  })

  test('a damaged state, whose control characters are escaped', async () => {
    await using directory = await temporaryDirectory()
    const store = await openLevelStorage(`${directory.path}/data/kvstore.db`)
    await store.write([{ type: 'put', key: STATE_KEY, value: text('\u001b[2J') }])
    await store.close()
    const { code, stderr } = await run(command, [
      '--home',
      directory.path,
      '--rules',
      'v0.38',
      '--address',
      'tcp://127.0.0.1:0',
    ])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^kvstore: KVSTORE_BAD_STATE: the stored state is invalid .*\n$/)
    expect(stderr).not.toContain('\u001b')
  })

  test.each(['socket', 'grpc'] as const)('another file at the path of the socket, which stays, %s', async (kind) => {
    await using directory = await temporaryDirectory()
    const path = `${directory.path}/notes`
    writeFileSync(path, 'mine')
    const { code, stderr } = await run(command, ['--abci', kind, '--address', `unix://${path}`])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^kvstore: ABCI_LISTEN: unix:\/\/.*\n$/)
    expect(readFileSync(path, 'utf8')).toBe('mine')
  })

  test.each(['socket', 'grpc'] as const)('a port in use, %s', async (kind) => {
    await using kvstore = await startKvStore([])
    const { code, stderr } = await run(command, ['--abci', kind, '--address', kvstore.address])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^kvstore: ABCI_LISTEN: tcp:\/\/127.0.0.1:\d+ .*\n$/)
  })

  test.each([
    [['--address', 'nonsense'], /^kvstore: ABCI_BAD_ADDRESS: /],
    [['--rules', 'v9'], /^error: option '--rules/],
    [['--abci', 'http'], /^error: option '--abci/],
    [['--snapshot-interval', '-1'], /^error: option '--snapshot-interval .*whole number/],
    [['--what'], /^error: unknown option '--what'/],
  ])('%j', async (args, message) => {
    const { code, stderr } = await run(command, args)
    expect(code).toBe(1)
    expect(stderr).toMatch(message)
  })
})
