import { type Exchange, recordingLines } from '@org/golden'
import type { Json } from '@org/types/schema'
import { expect, test } from 'vitest'
import { createRelayServer, ROUTES, type Route, type RpcListener } from '../src/index.ts'
import { startRpc } from './start-rpc.ts'

interface Answer {
  readonly result?: Json
  readonly error?: { readonly data?: string; readonly message: string }
}

/** A relay that passes calls on to a node. */
async function startRelay(nodePort: number): Promise<{ readonly url: string; readonly listener: RpcListener }> {
  const server = createRelayServer({
    relay: {
      call: async (method, params) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
        const response = await fetch(`http://127.0.0.1:${nodePort}/`, { method: 'POST', body })
        const { result, error } = (await response.json()) as Answer
        if (error !== undefined) throw new Error(error.data ?? error.message)
        return result as Json
      },
    },
    options: { laddr: 'tcp://127.0.0.1:0' },
  })
  const listener = await server.listen()
  return { url: `http://127.0.0.1:${/\d+$/.exec(listener.addresses[0] ?? '')?.[0]}`, listener }
}

/**
 * Returns the paths of the recorded GET requests whose operations a relay can answer. A relay serves the RPC of
 * another node.
 */
function recordedPaths(): readonly string[] {
  const paths = recordingLines<Exchange>('kvstore-single/answers.jsonl').flatMap(({ request }) => {
    const { path, method } = request as { readonly path?: string; readonly method?: string }
    const name = path?.slice(1).split('?')[0] ?? ''
    return path !== undefined && method === 'GET' && Object.hasOwn(ROUTES, name) ? [path] : []
  })
  return [...new Set(paths)].filter((path) => !/^\/(subscribe|unsubscribe|dial|unsafe|broadcast)/.test(path))
}

test('default: answers of a relay are those of the node', async () => {
  await using node = await startRpc()
  const { url, listener } = await startRelay(node.port)
  const read = async (base: string, path: string): Promise<string> => (await fetch(`${base}${path}`)).text()
  const paths = recordedPaths()
  expect(paths.length).toBeGreaterThan(200)
  const seen = new Set<string>()
  for (const path of paths) {
    const own = await read(`http://127.0.0.1:${node.port}`, path)
    // For a byte that is not UTF-8, a node writes the escape `\ufffd`. The relay writes the character U+FFFD itself.
    expect(await read(url, path), path).toBe(own.replaceAll('\\ufffd', '\ufffd'))
    if (own.includes('"result"')) seen.add(path.split('?')[0] ?? '')
  }
  expect(seen.size).toBeGreaterThan(15)
  await listener.stop()
})

test('behavior: a relay has no operation for operators only, and no subscriptions without events', async () => {
  await using node = await startRpc({ unsafe: true })
  const { url, listener } = await startRelay(node.port)
  for (const name of ['dial_seeds', 'unsafe_flush_mempool', 'subscribe']) {
    const response = await fetch(url, {
      method: 'POST',
      body: `{"jsonrpc":"2.0","id":1,"method":"${name}","params":{}}`,
    })
    expect(await response.text()).toContain('Method not found')
  }
  await listener.stop()
})

/** Wrong results that the node behind the relay returns, each with a description. */
const WRONG: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a number', 7],
  ['a text', 'x'],
  ['a list', []],
  ['members of other types', { genesis: 7, block_metas: 'x', round_state: [], node_info: 1, txs: {}, peers: 'x' }],
  ['many levels', JSON.parse(`{"genesis":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`)],
  ['many levels of a state', JSON.parse(`{"round_state":${'['.repeat(100_000)}${']'.repeat(100_000)},"peers":[]}`)],
]

test.each(WRONG)('error: a result of another form, %s, is an error with a code, and JSON', async (_name, result) => {
  const relay = { call: async () => result as Json }
  const server = createRelayServer({ relay, options: { laddr: 'tcp://127.0.0.1:0' } })
  const listener = await server.listen()
  const url = `http://127.0.0.1:${/\d+$/.exec(listener.addresses[0] ?? '')?.[0]}`
  for (const [name, { unsafe, websocketOnly }] of Object.entries(ROUTES) as [string, Route][]) {
    if (unsafe === true || websocketOnly === true) continue
    const response = await fetch(url, {
      method: 'POST',
      body: `{"jsonrpc":"2.0","id":1,"method":"${name}","params":{}}`,
    })
    const answer = (await response.json()) as Answer
    // If all members of an operation's result are optional, the relay accepts a wrong result and reads it as a result
    // without members. In all other cases it must return an error.
    if (answer.result === undefined)
      expect(answer.error?.data, name).toMatch(/has an unexpected form: .* \[RPC_WRONG_ANSWER\]$/)
  }
  await listener.stop()
})
