import { freePort } from '@org/golden'
import type { Json, JsonObject } from '@org/types/schema'
import { describe, expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import {
  type Answer,
  type Chain,
  chainAt,
  get,
  type RunningProxy,
  resultOf,
  startChain,
  startProxy,
  trusting,
} from './support/light.ts'
import { startLyingNode } from './support/lying-node.ts'
import { findCometbft, HALLEY, run, temporaryFolder } from './support/process.ts'
import { createTestnet, reached } from './support/testnet.ts'

const needsGo = findCometbft() === undefined

/** Returns the calls to which the proxy gives the same answer as the node, byte for byte. */
const SAME = ({ tx, height }: Chain): readonly string[] => [
  `/block?height=${height}`,
  `/header?height=${height}`,
  `/block_results?height=${height}`,
  `/commit?height=${height}`,
  `/validators?height=${height}`,
  `/consensus_params?height=${height}`,
  `/tx?hash=0x${tx}`,
  `/tx?hash=0x${tx}&prove=true`,
  `/tx_search?query="tx.height=${height}"`,
  `/block_search?query="block.height=${height}"`,
  '/genesis',
  '/genesis_chunked?chunk=0',
  '/net_info',
  '/health',
  '/check_tx?tx="a=b"',
  '/num_unconfirmed_txs',
]

/**
 * Replaces the list of the peers in an answer by their count, because the counters in the list change from call to
 * call.
 */
function withoutTimes({ result, ...rest }: Answer): Answer {
  const { peers, ...others } = result ?? {}
  return { ...rest, result: peers === undefined ? others : { ...others, peers: (peers as Json[]).length } }
}

async function isTheSame(chain: Chain, proxy: RunningProxy): Promise<void> {
  for (const path of SAME(chain)) {
    const [own, theirs] = [await get(proxy.url, path), await get(chain.url, path)]
    expect(own.error, path).toBeUndefined()
    expect(withoutTimes(own), path).toEqual(withoutTimes(theirs))
  }
  // If the node refuses a call, the proxy's error has the text of the node's error.
  for (const path of [
    '/block?height=99999999',
    `/tx?hash=0x${'00'.repeat(32)}`,
    '/broadcast_tx_sync?tx="name=satoshi"',
  ]) {
    const [own, theirs] = [await get(proxy.url, path), await get(chain.url, path)]
    const wordsOf = ({ error }: Answer) => error?.data.replace(/blockchain height \d+/, '')
    expect(wordsOf(own), path).toBe(wordsOf(theirs))
    expect(own.error, path).toBeDefined()
  }
  for (const path of ['/commit', '/validators', '/block', '/consensus_params', '/block_results', '/header'])
    expect((await get(proxy.url, path)).error, path).toBeUndefined()
  const answer = await get(proxy.url, '/abci_query?data="name"')
  expect(answer.error?.data).toMatch(
    /sent no proof.*gives only answers that it can verify; ask http:.* if you trust it \[LIGHT_UNPROVABLE\]$/,
  )
}

/** Waits for a block whose commit has the signatures of all validators. Returns its height. */
async function heightSignedByAll(url: string, nodes: Parameters<typeof reached>[1]): Promise<number> {
  for (let height = 4; ; height++) {
    await reached(height + 2, nodes)
    const { signed_header: signed } = await resultOf<{
      signed_header: { commit: { signatures: readonly { signature: string | null }[] } }
    }>(url, `/commit?height=${height}`)
    if (signed.commit.signatures.every(({ signature }) => signature !== null && signature !== '')) return height
  }
}

describe('a verifying proxy', () => {
  test('default: the proxy gives the answers of the node, and a second start continues from the stored headers', async () => {
    const chain = await startChain('halley')
    const folder = temporaryFolder()
    const proxy = await startProxy(chain.chainId, ...trusting(chain, folder, chain.url, chain.url))
    await isTheSame(chain, proxy)
    await proxy.stop()
    const again = await startProxy(chain.chainId, '--home-dir', folder)
    expect(await get(again.url, `/block?height=${chain.height}`)).toEqual(
      await get(chain.url, `/block?height=${chain.height}`),
    )
  })

  test.skipIf(needsGo)('default: the proxy works with a Go node', async () => {
    const chain = await startChain('go')
    const proxy = await startProxy(chain.chainId, ...trusting(chain, temporaryFolder(), chain.url, chain.url))
    await isTheSame(chain, proxy)
  })

  test.skipIf(needsGo)(
    'default: the proxy works with a Go node and a Halley node of one chain, also if they change places',
    async () => {
      const nodes = await createTestnet({
        kinds: ['go', 'halley'],
        validators: 1,
        // With the reference's gossip, a full node receives only a few blocks per second. So the validator makes at
        // most two blocks per second.
        config: { 'consensus.timeout_commit': '"500ms"' },
      })
      for (const node of nodes) node.start()
      await reached(3, nodes)
      const [go = '', halley = ''] = nodes.map(({ rpcPort }) => `http://127.0.0.1:${rpcPort}`)
      const chain = await chainAt(go)
      await reached(Number(chain.height) + 2, nodes)
      for (const [primary, witness] of [
        [go, halley],
        [halley, go],
      ] as const) {
        const proxy = await startProxy(chain.chainId, ...trusting(chain, temporaryFolder(), primary, witness))
        await isTheSame({ ...chain, url: primary }, proxy)
        expect(proxy.output()).not.toMatch(/Replaced the primary|Detected an attack|wrong block/)
      }
    },
  )

  test('behavior: after a header that is a lie, a witness becomes the primary and answers the call', async () => {
    const chain = await startChain('halley')
    const liar = await startLyingNode(chain.url)
    const proxy = await startProxy(chain.chainId, ...trusting(chain, temporaryFolder(), liar.url, chain.url, chain.url))
    liar.lie({ method: 'commit', path: ['signed_header', 'header', 'app_hash'] })
    const { result } = await get(proxy.url, '/header?height=3')
    expect(result).toEqual((await get(chain.url, '/header?height=3')).result)
    expect(proxy.output()).toContain('Replaced the primary')
    liar.calls.length = 0
    for (const path of ['/status', '/block?height=3']) expect(await get(proxy.url, path)).toHaveProperty('result')
    expect(liar.calls).toEqual([])
  })

  test('behavior: a false signature that a node hides in a commit is replaced by the right one of another node', async () => {
    const nodes = await createTestnet({
      kinds: ['halley', 'halley', 'halley', 'halley'],
      // After each block, this pause gives the precommits of all validators time to reach the next proposer.
      config: { 'consensus.timeout_commit': '"500ms"' },
    })
    for (const node of nodes) node.start()
    await reached(3, nodes)
    const [honest = ''] = nodes.map(({ rpcPort }) => `http://127.0.0.1:${rpcPort}`)
    const liar = await startLyingNode(honest)
    const chain = await chainAt(honest)
    const height = await heightSignedByAll(honest, nodes)
    const proxy = await startProxy(chain.chainId, ...trusting(chain, temporaryFolder(), liar.url, honest))
    // The first three of the four signatures have more than two thirds of the power. The light client does not verify
    // the fourth signature.
    liar.lie({ method: 'commit', path: ['signed_header', 'commit', 'signatures', 3, 'signature'] })
    const path = `/commit?height=${height}`
    const wanted = await get(chain.url, path)
    expect(await get(proxy.url, path)).toEqual(wanted)
    expect(proxy.output()).toContain('Replaced a stored commit that had a false signature')
    liar.calls.length = 0
    expect(await get(proxy.url, path)).toEqual(wanted)
    expect(liar.calls).toEqual([])
  }, 120_000)

  test('default: events over a WebSocket are verified', async () => {
    const chain = await startChain('halley')
    const proxy = await startProxy(chain.chainId, ...trusting(chain, temporaryFolder(), chain.url, chain.url))
    const socket = new WebSocket(`${proxy.url.replace('http', 'ws')}/websocket`)
    onTestFinished(() => socket.terminate())
    const messages: { readonly id: number; readonly result?: JsonObject; readonly error?: JsonObject }[] = []
    socket.on('message', (data) => messages.push(JSON.parse(String(data)) as never))
    await new Promise((resolve) => socket.on('open', resolve))
    const send = (id: number, method: string, query: string): void =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params: { query } }))
    send(1, 'subscribe', "tm.event='NewBlock'")
    send(2, 'subscribe', "tm.event='Tx'")
    send(3, 'subscribe', "tm.event='Tx'")
    send(4, 'subscribe', 'tm.event=')
    // Spaces do not change a query, so this is the query of request 2.
    send(6, 'subscribe', "tm.event  =  'Tx'")
    await expect.poll(() => messages.filter(({ id }) => id >= 3).length).toBe(3)
    expect(messages.find(({ id }) => id === 6)?.error).toMatchObject({ data: 'already subscribed' })
    expect(messages.find(({ id }) => id === 3)?.error).toMatchObject({ data: 'already subscribed' })
    expect(messages.find(({ id }) => id === 4)?.error?.data).toContain('failed to parse query')
    await expect
      .poll(() => messages.filter(({ id, result }) => id === 1 && result?.data).length, { timeout: 20_000 })
      .toBeGreaterThan(2)
    await get(chain.url, '/broadcast_tx_commit?tx="event=1"')
    await expect
      .poll(() => messages.some(({ id, result }) => id === 2 && result?.data !== undefined), { timeout: 20_000 })
      .toBe(true)
    send(5, 'unsubscribe', "tm.event = 'NewBlock'")
    await expect.poll(() => messages.find(({ id }) => id === 5)).toMatchObject({ result: {} })
    const { result } = messages.find(({ id, result }) => id === 1 && result?.data !== undefined) ?? {}
    expect(Object.keys(result ?? {})).toEqual(['query', 'data', 'events'])
  })
})

describe('a proxy that cannot start', () => {
  const refused = async (...args: readonly string[]): Promise<string> => {
    const { code, stderr } = await run(HALLEY, ['light', '--home-dir', temporaryFolder(), ...args])
    expect(code).toBe(1)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    return stderr
  }

  test('error: the error for a wrong flag names the flag', async () => {
    const chain = ['a-chain', '--primary', 'http://127.0.0.1:1', '--witnesses', 'http://127.0.0.1:1'] as const
    expect(await refused()).toContain('the chain id is missing: halley light CHAIN-ID --primary')
    expect(await refused('a-chain')).toContain('no primary is given, and none is stored: name a node with --primary')
    expect(await refused(...chain, '--hash', 'AB')).toContain('for "--hash" flag: the 64 hex digits')
    expect(await refused(...chain, '--height', '0', '--hash', 'AB'.repeat(32))).toContain('for "--height" flag')
    expect(await refused(...chain, '--trust-level', '2')).toContain('for "--trust-level" flag: a fraction')
    expect(await refused(...chain, '--trusting-period', 'week')).toContain('for "--trusting-period" flag: a duration')
    expect(await refused('a-chain', '--primary', 'ftp://x')).toContain('for "--primary" flag: the address')
    expect(await refused('a-chain', '--primary', '127.0.0.1:1')).toContain('[LIGHT_NO_WITNESSES]')
    expect(await refused(...chain)).toContain('[LIGHT_NO_TRUSTED_BLOCK]')
  })

  test('error: a start is refused for another chain, a wrong hash, an old header, a later height, or an absent node', async () => {
    const chain = await startChain('halley')
    const nodes = ['--primary', chain.url, '--witnesses', chain.url] as const
    const trust = ['--height', '2', '--hash', chain.hash] as const
    const other = await refused('other-chain', ...nodes, ...trust)
    expect(other).toMatch(
      /"other-chain"\. To correct it, check the chain id, and the addresses in.*\[LIGHT_BAD_BLOCK\]/,
    )
    expect(other.split('sent an invalid answer')).toHaveLength(2)
    expect(await refused(chain.chainId, ...nodes, '--height', '2', '--hash', 'AB'.repeat(32))).toMatch(
      /To correct it, correct --height and --hash.*\[LIGHT_TRUST_HASH\]/,
    )
    expect(await refused(chain.chainId, ...nodes, ...trust, '--trusting-period', '1ms')).toMatch(
      /start with a newer --height and --hash.*\[LIGHT_HEADER_EXPIRED\]/,
    )
    expect(await refused(chain.chainId, ...nodes, '--height', '99999999', '--hash', chain.hash)).toMatch(
      /choose a --height that the nodes have reached.*\[LIGHT_HEIGHT_TOO_HIGH\]/,
    )
    const absent = `http://127.0.0.1:${await freePort()}`
    expect(await refused(chain.chainId, '--primary', absent, '--witnesses', absent, ...trust)).toMatch(
      /check the addresses in --primary and --witnesses, and that the nodes run \[LIGHT_NO_RESPONSE\]/,
    )
  }, 60_000)

  test('error: a start is refused for a folder or an address in use, and for old or contradicting stored headers', async () => {
    const [chain, forked] = [await startChain('halley'), await startChain('halley')]
    const folder = temporaryFolder()
    const proxy = await startProxy(chain.chainId, ...trusting(chain, folder, chain.url, chain.url))
    expect(await refused(chain.chainId, '--home-dir', folder)).toMatch(
      /is in use by .*: stop that program first, or choose another home with --home-dir \[HOME_LOCKED\]/,
    )
    const taken = ['--laddr', `tcp://${proxy.url.slice('http://'.length)}`] as const
    expect(await refused(chain.chainId, ...trusting(chain, temporaryFolder(), chain.url, chain.url), ...taken)).toMatch(
      /another program listens on .*such as --laddr=.*\[CLI_ADDRESS_IN_USE\]/,
    )
    await proxy.stop()
    expect(await refused(chain.chainId, '--home-dir', folder, '--trusting-period', '1ms')).toMatch(
      /height \d+ is older than the trusting period.*start with a newer --height.*\[LIGHT_HEADER_EXPIRED\]/,
    )
    const { code, stderr } = await run(HALLEY, [
      ...['light', chain.chainId, '--home-dir', folder, '--primary', chain.url, '--witnesses', chain.url],
      ...['--height', '2', '--hash', forked.hash, '--laddr=tcp://127.0.0.1:0'],
    ])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/start with --yes to remove them, or with another --home-dir \[LIGHT_REMOVAL_REFUSED\]/),
    ])
  }, 60_000)

  test('error: a start is refused if two nodes have different proposer priorities', async () => {
    const chain = await startChain('halley')
    const liar = await startLyingNode(chain.url)
    liar.lie({ method: 'validators', path: ['validators', 0, 'proposer_priority'] })
    const nodes = ['--primary', chain.url, '--witnesses', liar.url] as const
    expect(await refused(chain.chainId, ...nodes, '--height', '2', '--hash', chain.hash)).toMatch(
      /has other proposer priorities at height 2.*nodes of --primary and --witnesses agree \[LIGHT_PROPOSER_PRIORITIES\]/,
    )
  })

  test('error: a start is refused if the nodes have pruned the block to trust', async () => {
    const chain = await startChain('halley')
    const pruned = await startLyingNode(chain.url)
    pruned.refuse('height 2 is not available, lowest height is 5')
    const nodes = ['--primary', pruned.url, '--witnesses', pruned.url] as const
    expect(await refused(chain.chainId, ...nodes, '--height', '2', '--hash', chain.hash)).toMatch(
      /does not have the block at height 2.*choose a newer --height with its --hash.*\[LIGHT_BLOCK_NOT_FOUND\]/,
    )
  })
})
