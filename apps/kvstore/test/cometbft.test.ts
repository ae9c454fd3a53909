import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram } from '@org/golden'
import { describe, expect, test } from 'vitest'
import { type GoNode, initHome, startGoNode } from './cometbft.ts'
import { temporaryDirectory } from './helpers.ts'
import { startKvStore } from './processes.ts'

const cometbft = findProgram('cometbft', 'the Go node with our kvstore')

const base64 = (text: string): string => Buffer.from(text).toString('base64')

async function commit(node: GoNode, tx: string): Promise<void> {
  const { tx_result } = (await node.call('broadcast_tx_commit', { tx: base64(tx) })) as unknown as {
    tx_result: { code: number }
  }
  expect(tx_result.code).toBe(0)
}

async function stored(node: GoNode, key: string): Promise<string> {
  const data = Buffer.from(key).toString('hex')
  const { response } = (await node.call('abci_query', { data, path: '/store' })) as unknown as {
    response: { value: string | null }
  }
  return Buffer.from(response.value ?? '', 'base64').toString()
}

async function appHashAt(node: GoNode, height: number): Promise<string> {
  const { header } = (await node.call('header', { height: String(height) })) as unknown as {
    header: { app_hash: string }
  }
  return header.app_hash
}

describe.skipIf(cometbft === undefined)('behavior: the Go node drives our command', () => {
  test.each([
    ['socket', 'first-equals', ['k=v', 'plain', 'a=b=c', 'y=', '=x']],
    ['grpc', 'v0.38', ['k=v', 'x=y']],
  ] as const)(
    'drives it over %s under %s: blocks, a restart, a kill, a lost state',
    { timeout: 120_000 },
    async (kind, rules, txs) => {
      await using directory = await temporaryDirectory()
      const home = join(directory.path, 'node')
      const appHome = join(directory.path, 'app')
      const rpcPort = await initHome(cometbft ?? '', home)

      async function session(script: (node: GoNode) => Promise<void>, signal: NodeJS.Signals): Promise<void> {
        await using kvstore = await startKvStore(['--abci', kind, '--home', appHome, '--rules', rules])
        // The Go client for gRPC accepts only an address without a scheme.
        const address = kind === 'grpc' ? kvstore.address.slice('tcp://'.length) : kvstore.address
        const args = ['--proxy_app', address, '--abci', kind]
        await using node = startGoNode({ binary: cometbft ?? '', home, rpcPort, args })
        await node.isGoing()
        await script(node)
        // Stops the node first: a node that loses its application during its stop may hang.
        await node.stop(signal)
        await kvstore.stop(signal)
      }

      let lastHash = ''
      let lastHeight = 0
      await session(async (node) => {
        for (const tx of txs) await commit(node, tx)
        expect(await stored(node, 'k')).toBe('v')
      }, 'SIGTERM')
      await session(async (node) => {
        await commit(node, 'second=run')
        lastHeight = await node.height()
        lastHash = await appHashAt(node, lastHeight)
      }, 'SIGKILL')
      await rm(appHome, { recursive: true })
      await session(async (node) => {
        expect(await appHashAt(node, lastHeight)).toBe(lastHash)
        if (rules === 'first-equals') {
          expect(await stored(node, 'plain')).toBe('plain')
          expect(await stored(node, 'a')).toBe('b=c')
        }
        expect(await stored(node, 'second')).toBe('run')
      }, 'SIGTERM')

      if (rules === 'first-equals') return
      // The kvstore in the Go node continues with the database that Halley's kvstore has written.
      await cp(join(appHome, 'data/kvstore.db'), join(home, 'data/kvstore.db'), { recursive: true })
      const args = ['--proxy_app', 'persistent_kvstore']
      await using node = startGoNode({ binary: cometbft ?? '', home, rpcPort, args })
      await node.isGoing()
      expect(await stored(node, 'second')).toBe('run')
      await commit(node, 'go=on')
      expect(await stored(node, 'go')).toBe('on')
    },
  )

  test('error: the Go node ends when our application dies', { timeout: 60_000 }, async () => {
    await using directory = await temporaryDirectory()
    const rpcPort = await initHome(cometbft ?? '', directory.path)
    await using kvstore = await startKvStore([])
    const args = ['--proxy_app', kvstore.address]
    await using node = startGoNode({ binary: cometbft ?? '', home: directory.path, rpcPort, args })
    await node.isGoing()
    await kvstore.stop('SIGKILL')
    // After the application has died, the node begins to stop. If the application died during a commit, the process of
    // the node never exits. So the test waits only for the log line.
    await node.saw(/Did the application crash\?/)
  })
})
