import { freePort } from '@org/golden'
import { bytesToBase64, bytesToHex, utf8ToBytes } from '@org/types/bytes'
import type { JsonObject } from '@org/types/schema'
import { expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import { type Chain, chainAt, get, resultOf, trusting } from './support/light.ts'
import { findCometbft, launch, temporaryFolder } from './support/process.ts'
import { KEY, serveProvingApp, VALUE } from './support/proving-app.ts'
import { createTestnet, needsCometbft, reached } from './support/testnet.ts'

const missing = needsCometbft('tests of `cometbft light` in front of Halley')
const STORE = 'main'
const base64Of = (text: string): string => bytesToBase64(utf8ToBytes(text))
const WITHIN = { timeout: 30_000, interval: 50 }

const METHODS = ['block', 'commit', 'header', 'block_results', 'consensus_params', 'validators']

const queryOf = (store: string, { height }: Chain): string =>
  `/abci_query?path="/store/${store}/key"&data=0x${bytesToHex(utf8ToBytes(KEY))}&height=${height}`

/** Returns the answer without empty lists, because `cometbft light` sends an empty list as `null` or not at all. */
const withoutEmpty = (answer: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(answer), (_, value) =>
    value === null || (Array.isArray(value) && value.length === 0) ? undefined : value,
  )

/**
 * Starts a validator and a full node of Halley. The applications of both nodes answer a query with the same value and a
 * proof of this value.
 */
async function startTwoNodes() {
  const applications = [await serveProvingApp(STORE), await serveProvingApp(STORE)]
  const nodes = await createTestnet({
    kinds: ['halley', 'halley'],
    validators: 1,
    application: (index) => applications[index] ?? '',
  })
  for (const node of nodes) node.start()
  await reached(2, nodes)
  const [primary = '', witness = ''] = nodes.map(({ rpcPort }) => `http://127.0.0.1:${rpcPort}`)
  const chain = await chainAt(primary)
  await reached(Number(chain.height) + 2, nodes)
  return { chain, primary, witness }
}

/** Starts `cometbft light`, and waits until it has verified a first header. */
async function startGoProxy(chainId: string, ...args: readonly string[]) {
  const port = await freePort()
  const running = launch(findCometbft() as string, ['light', chainId, `--laddr=tcp://127.0.0.1:${port}`, ...args])
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(
      () =>
        get(url, '/health').then(
          () => running.output(),
          () => '',
        ),
      WITHIN,
    )
    .not.toBe('')
  return { ...running, url }
}

/** Subscribes to new blocks. Returns a list, to which each received result is added. */
async function subscribe(url: string): Promise<readonly JsonObject[]> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`)
  onTestFinished(() => socket.terminate())
  const results: JsonObject[] = []
  socket.on('message', (data) => results.push(JSON.parse(String(data)).result))
  await new Promise((resolve) => socket.on('open', resolve))
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='NewBlock'" } }))
  return results
}

test.skipIf(missing)(
  'default: `cometbft light` verifies the answers of a Halley primary with a Halley witness',
  async () => {
    const { chain, primary, witness } = await startTwoNodes()
    const proxy = await startGoProxy(chain.chainId, ...trusting(chain, temporaryFolder(), primary, witness))
    const status = await resultOf<{ node_info: JsonObject; sync_info: JsonObject }>(proxy.url, '/status')
    expect(status.node_info).toEqual((await resultOf<{ node_info: JsonObject }>(primary, '/status')).node_info)
    const paths = METHODS.map((method) => `/${method}?height=${chain.height}`)
    for (const path of [...paths, `/tx?hash=0x${chain.tx}&prove=true`])
      expect(withoutEmpty(await resultOf(proxy.url, path)), path).toEqual(withoutEmpty(await resultOf(primary, path)))
    const { response } = await resultOf<{ response: JsonObject }>(proxy.url, queryOf(STORE, chain))
    expect(response).toMatchObject({ key: base64Of(KEY), value: base64Of(VALUE), height: chain.height })
    expect((await get(proxy.url, queryOf('other', chain))).error?.data).toContain('verify value proof')
    const events = await subscribe(proxy.url)
    await expect.poll(() => events.filter(({ data }) => data !== undefined).length, WITHIN).toBeGreaterThan(2)
    expect(events[0]).toEqual({})
    expect(events[1]).toMatchObject({ query: "tm.event='NewBlock'", data: { type: 'tendermint/event/NewBlock' } })
    expect(proxy.output()).not.toMatch(/\berr=|conflict|Removing witness|replac/i)
  },
)
