import {
  createHttpTransport,
  createRpcClient,
  createWebSocketTransport,
  type RpcEvent,
  type RpcTransport,
} from '@org/rpc/client'
import { HOUR } from '@org/test-kit'
import type { Json } from '@org/types/schema'
import { describe, expect, test } from 'vitest'
import { createHttpProvider, LIGHT_ERRORS } from '../src/index.ts'
import { createVerifiedClient, type VerifiedClient, type VerifiedEvent } from '../src/verified/index.ts'
import { failureOf } from './client-fixture.ts'
import { type Lie, liesAbout } from './lies.ts'
import { halley, type RunningNode, reference, startNode } from './running-node.ts'

/** Makes a transport that changes events. */
function lyingEvents(inner: RpcTransport, change: (event: RpcEvent) => RpcEvent): RpcTransport {
  return {
    ...inner,
    subscribe: async function* (query, options) {
      const events = inner.subscribe?.(query, options) ?? []
      for await (const event of events) yield change(event)
    },
  }
}

async function connect(
  { url }: RunningNode,
  change: (event: RpcEvent) => RpcEvent = (event) => event,
): Promise<VerifiedClient> {
  const { nodeInfo } = await createRpcClient(createHttpTransport(url)).status()
  const chainId = nodeInfo.network
  const transport = createWebSocketTransport(`${url.replace('http:', 'ws:')}/websocket`)
  const client = createRpcClient(lyingEvents(transport, change))
  const { blockId } = await client.block({ height: 3 })
  return createVerifiedClient({
    client,
    trust: { chainId, height: 3, hash: blockId.hash, period: 10n * 365n * 24n * HOUR },
    witnesses: [createHttpProvider({ chainId, url })],
  })
}

async function firstEvent(client: VerifiedClient, query: string, before?: () => Promise<unknown>) {
  const events = client.subscribe(query)[Symbol.asyncIterator]()
  const next = events.next()
  await before?.()
  const { value } = await next
  await events.return?.()
  return value as VerifiedEvent
}

const sendTx = (client: VerifiedClient) => () =>
  client.unverified.broadcastTxSync({ tx: `key${process.hrtime.bigint()}=value` })

async function verifiesEvents(binary: string): Promise<void> {
  await using node = await startNode(binary)
  const client = await connect(node)
  const covers = [
    ['NewBlock', 'block'],
    ['NewBlockHeader', 'header'],
    ['NewBlockEvents', 'height'],
    ['NewRoundStep', 'nothing'],
  ]
  for (const [type, verified] of covers) {
    expect(await firstEvent(client, `tm.event='${type}'`, sendTx(client))).toMatchObject({
      data: { type: `tendermint/event/${type === 'NewRoundStep' ? 'RoundState' : type}` },
      verified,
    })
  }
  expect(await firstEvent(client, "tm.event='Tx'", sendTx(client))).toMatchObject({ verified: 'tx' })
  client.close()
}

test('a verified client verifies the events of a Halley node', () => verifiesEvents(halley))

test.skipIf(reference === undefined)('a verified client verifies the events of a Go node', () =>
  verifiesEvents(reference as string),
)

/**
 * The queries of the test, each with a pattern. A query selects one kind of event. The client verifies those members of
 * the event whose path matches the pattern. The client never verifies the events of the application.
 */
const LIES = [
  ["tm.event='NewBlockHeader'", /^\.header\./],
  ["tm.event='NewBlock'", /^\.block\.(?!last_commit\.round)/],
  ["tm.event='NewBlock'", /^\.block_id\./],
  ["tm.event='Tx'", /^\.TxResult\.(tx|index|height)$/],
] as const

describe('a node that changes a verified member of an event is refused', () => {
  test.each(LIES)('%s', async (query, covered) => {
    await using node = await startNode(halley)
    let lies: readonly Lie[] = []
    let honest: Json = null
    let chosen: Lie | undefined
    const client = await connect(node, (event) => {
      honest = event.data.value
      const value = chosen === undefined ? honest : chosen.change(honest)
      return { ...event, data: { ...event.data, value } }
    })
    await firstEvent(client, query, sendTx(client))
    lies = liesAbout(honest).filter(({ path }) => covered.test(path))
    expect(lies.length).toBeGreaterThan(1)
    // At most three of the lies are tried, because each try needs a new block.
    for (const lie of lies.filter((_lie, i) => i % Math.ceil(lies.length / 3) === 0)) {
      chosen = lie
      expect(await failureOf(firstEvent(client, query, sendTx(client))), lie.path).toMatchObject({
        code: expect.stringMatching(`${LIGHT_ERRORS.wrongAnswer}|${LIGHT_ERRORS.heightTooHigh}`),
      })
    }
    client.close()
  })
})

type Events = RpcEvent['events']
type Value = { readonly [name: string]: Json }

/** False events. Each has a wrong height, or a wrong attribute that a query can match. */
const OTHER_LIES: readonly (readonly [
  string,
  string,
  (event: RpcEvent) => Partial<Pick<RpcEvent, 'data' | 'events'>>,
])[] = [
  [
    'the height of a transaction beside another height',
    "tm.event='Tx'",
    ({ data }) => {
      const { TxResult: result } = data.value as { readonly TxResult: Value }
      const height = result.height as string
      return { data: { ...data, value: { height, TxResult: { ...result, height: String(Number(height) + 1) } } } }
    },
  ],
  ...(['height', 'index', 'tx'] as const).map(
    (name) =>
      [
        `an object as the ${name} of a transaction`,
        "tm.event='Tx'",
        ({ data }: RpcEvent) => {
          const { TxResult: result } = data.value as { readonly TxResult: Value }
          const value = { height: result.height ?? null, TxResult: { ...result, [name]: { toString: 1 } } }
          return { data: { ...data, value } }
        },
      ] as const,
  ),
  ['an event of a block without a height', "tm.event='NewBlockEvents'", withValue({ events: [], num_txs: '0' })],
  ['a height of 0', "tm.event='NewBlockEvents'", withValue({ events: [], num_txs: '0', height: '0' })],
  ['a height that is no number', "tm.event='NewBlockEvents'", withValue({ events: [], num_txs: '0', height: 'x' })],
  ['the hash of another transaction', "tm.event='Tx'", withAttribute('tx.hash', ['AB'.repeat(32)])],
  [
    'a second hash of a transaction',
    "tm.event='Tx'",
    ({ events }) => ({ events: { ...events, 'tx.hash': ['AB'.repeat(32), ...(events['tx.hash'] ?? [])] } }),
  ],
  ['another height of a transaction among the attributes', "tm.event='Tx'", withAttribute('tx.height', ['1'])],
  ['a transaction without its hash among the attributes', "tm.event='Tx'", withAttribute('tx.hash', [])],
  ['a block as a header', "tm.event='NewBlock'", withAttribute('tm.event', ['NewBlockHeader'])],
  ['an event that nothing proves as a block', "tm.event='NewRoundStep'", withAttribute('tm.event', ['NewBlock'])],
]

function withValue(value: Value): (event: RpcEvent) => Pick<RpcEvent, 'data'> {
  return ({ data }) => ({ data: { ...data, value } })
}

function withAttribute(name: string, values: readonly string[]): (event: RpcEvent) => { readonly events: Events } {
  return ({ events }) => ({ events: { ...events, [name]: values } })
}

test('a node that lies about the height or the attributes of an event is refused', async () => {
  await using node = await startNode(halley)
  for (const [name, query, change] of OTHER_LIES) {
    const client = await connect(node, (event) => ({ ...event, ...change(event) }))
    expect(await failureOf(firstEvent(client, query, sendTx(client))), name).toMatchObject({
      code: LIGHT_ERRORS.wrongAnswer,
    })
    client.close()
  }
})
