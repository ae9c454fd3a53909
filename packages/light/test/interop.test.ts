import { join } from 'node:path'
import { freePort, launch, makeTemporaryFolder, type Running } from '@org/golden'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import { HOUR } from '@org/test-kit'
import { bytesToHex } from '@org/types/bytes'
import { ClassicLevel } from 'classic-level'
import { describe, expect, test } from 'vitest'
import {
  createHttpProvider,
  createLightClient,
  createMemoryLightStore,
  hashOf,
  heightOf,
  LIGHT_ERRORS,
  type LightBlock,
  type LightClient,
  type LightClientOptions,
} from '../src/index.ts'
import { openLevelLightStore } from '../src/level/index.ts'
import { failureOf } from './client-fixture.ts'
import { halley, type RunningNode, reference, startNode } from './running-node.ts'

const YEARS = '87600h'

interface GoClient extends AsyncDisposable {
  readonly running: Running
  readonly url: string
}

/**
 * Starts `cometbft light`, a light client in Go whose primary and witness are `node`. If `args` name a height and a
 * hash, the Go client trusts this header. Otherwise it continues from the headers in its home.
 */
async function startGoClient(node: RunningNode, home: string, args: readonly string[]): Promise<GoClient> {
  const port = await freePort()
  const running = launch(reference as string, [
    ...['light', await chainIdOf(node), '--home-dir', home, '--laddr', `tcp://127.0.0.1:${port}`],
    ...['-p', node.url, '-w', node.url, '--trusting-period', YEARS, ...args],
  ])
  return {
    running,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      await running.stop()
    },
  }
}

async function entriesOf(path: string): Promise<Record<string, string>> {
  const db = new ClassicLevel<string, Uint8Array>(path, { valueEncoding: 'view' })
  const entries: Record<string, string> = {}
  for await (const [key, value] of db.iterator()) entries[key] = bytesToHex(new Uint8Array(value))
  await db.close()
  return entries
}

const clientOf = ({ url }: { readonly url: string }) => createRpcClient(createHttpTransport(url))
const chainIdOf = async (node: { readonly url: string }): Promise<string> =>
  (await clientOf(node).status()).nodeInfo.network

/** Makes a client that trusts height 3 of a node. */
async function clientOver(url: string, options: Partial<LightClientOptions> = {}): Promise<LightClient> {
  const chainId = await chainIdOf({ url })
  const root = (await clientOf({ url }).commit({ height: 3 }))?.signedHeader.commit
  return createLightClient(
    {
      chainId,
      trust: { height: 3, hash: root?.blockId.hash ?? new Uint8Array(0) },
      trustingPeriod: 10n * 365n * 24n * HOUR,
      ...options,
    },
    {
      primary: createHttpProvider({ chainId, url }),
      witnesses: [createHttpProvider({ chainId, url: url.replace('http:', 'tcp:') })],
      store: createMemoryLightStore(),
    },
  )
}

async function verifyChain(url: string): Promise<void> {
  for (const mode of ['skipping', 'sequential'] as const) {
    const client = await clientOver(url, { mode })
    for (const height of [60, 20, 70, 1]) {
      const block = await client.verifyAtHeight(height)
      const answer = await clientOf({ url }).commit({ height })
      expect(hashOf(block)).toEqual(answer?.signedHeader.commit?.blockId.hash)
    }
    expect(heightOf((await client.update()) as LightBlock)).toBeGreaterThan(70)
    expect(await failureOf(client.verifyAtHeight(1_000_000))).toMatchObject({ code: LIGHT_ERRORS.heightTooHigh })
  }
}

test('a client verifies the chain of a Halley node', async () => {
  await using node = await startNode(halley)
  await verifyChain(node.url)
})

describe.skipIf(reference === undefined)('the reference (needs cometbft on PATH)', () => {
  test('a client verifies the chain of a Go node', async () => {
    await using node = await startNode(reference as string)
    await verifyChain(node.url)
  })

  test('Halley reads and extends a store of `cometbft light`, which then reads the store again', {
    timeout: 60_000,
  }, async () => {
    await using node = await startNode(reference as string)
    await using home = await makeTemporaryFolder('halley-light-home-')
    const chainId = await chainIdOf(node)
    const answer = await clientOf(node).commit({ height: 5 })
    const hash = bytesToHex(answer?.signedHeader.commit?.blockId.hash ?? new Uint8Array(0))
    {
      await using go = await startGoClient(node, home.path, ['--height', '5', '--hash', hash])
      await go.running.saw('Starting proxy')
      await expect.poll(() => clientOf(go).commit({ height: 30 })).toBeTruthy()
    }
    const path = join(home.path, 'light-client-db.db')
    const stored = await entriesOf(path)
    const store = await openLevelLightStore(path, { chainId })
    expect([await store.firstHeight(), await store.lastHeight(), await store.size()]).toEqual([5, 30, 2])
    expect(await store.providers()).toEqual({ primary: node.url, witnesses: [node.url] })
    const block = await store.at(5)
    expect(bytesToHex(hashOf(block as NonNullable<typeof block>))).toBe(hash)
    // This store removes the block of height 30 and saves the block again. The database must have the same entries as
    // before, so that the Go client can continue from it.
    const latest = (await store.at(30)) as NonNullable<typeof block>
    await store.remove(30)
    await store.save(latest)
    expect(heightOf(latest)).toBe(30)
    await store.close()
    expect(await entriesOf(path)).toEqual(stored)

    await using go = await startGoClient(node, home.path, ['--verbose'])
    await go.running.saw('Starting proxy')
    expect(await go.running.saw('Restored trusted light block')).toContain('height=30')
    await expect.poll(() => clientOf(go).commit({ height: 40 })).toBeTruthy()
    expect(go.running.output()).not.toMatch(/can't|failed|panic/)
  })
})
