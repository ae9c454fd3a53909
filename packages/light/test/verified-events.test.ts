import {
  createHttpTransport,
  createRpcClient,
  createWebSocketTransport,
  type RpcEvent,
  type RpcTransport,
} from '@org/rpc/client'
import type { Json } from '@org/types/schema'
import { describe, expect, test } from 'vitest'
import { createHttpProvider, LIGHT_ERRORS } from '../src/index.ts'
import { createVerifiedClient, type VerifiedClient, type VerifiedEvent } from '../src/verified/index.ts'
import { failureOf } from './client-fixture.ts'
import { type Lie, liesAbout } from './lies.ts'
import { HOUR } from './made-chain.ts'
import { halley, type RunningNode, reference, startNode } from './running-node.ts'

/** A transport that changes events. */
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

/** The members of events that a lie may change. Events of the application are never covered. */
const LIES = [
  ["tm.event='NewBlockHeader'", /^\.header\./],
  ["tm.event='NewBlock'", /^\.block\.(?!last_commit\.round)/],
  ["tm.event='Tx'", /^\.TxResult\.(tx|index|height)$/],
] as const

describe('a node that changes one member of an event', () => {
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
    // One lie of each kind: each costs a block.
    for (const lie of lies.filter((_lie, i) => i % Math.ceil(lies.length / 3) === 0)) {
      chosen = lie
      expect(await failureOf(firstEvent(client, query, sendTx(client))), lie.path).toMatchObject({
        code: expect.stringMatching(`${LIGHT_ERRORS.wrongAnswer}|${LIGHT_ERRORS.heightTooHigh}`),
      })
    }
    client.close()
  })
})
