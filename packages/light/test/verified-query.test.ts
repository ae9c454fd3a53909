import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import { HOUR, makeChain } from '@org/test-kit'
import { bytesToBase64, bytesToHex, hexToBytes, utf8ToBytes } from '@org/types/bytes'
import { makeValueOp, type OperatorDecoder, proofsFromByteSlices, valueLeaf } from '@org/types/crypto'
import type { JsonObject } from '@org/types/schema'
import { describe, expect, test } from 'vitest'
import { createHttpProvider, hashOf, LIGHT_ERRORS, type LightBlock } from '../src/index.ts'
import { createVerifiedClient, type VerifiedClientOptions } from '../src/verified/index.ts'
import { type Blocks, blockOf, failureOf, keysAt } from './client-fixture.ts'
import { type Call, type Extra, type Lie, startMadeNode } from './made-node.ts'

const PAIRS = new Map([
  ['alice', '17'],
  ['bob', '4'],
  ['zero', ''],
])
const names = [...PAIRS.keys()]
const { root, proofs } = proofsFromByteSlices(
  [...PAIRS].map(([name, value]) => valueLeaf(utf8ToBytes(name), utf8ToBytes(value))),
)
const CHAIN = makeChain({ to: 12, keysAt, header: () => ({ appHash: root }) })

interface QueryAnswer {
  /** The key in the answer. Default: the requested key. */
  readonly name?: string
  readonly value?: string
  readonly height?: number
  readonly code?: number
  readonly ops?: readonly JsonObject[]
}

/** Starts a node whose application keeps {@link PAIRS} in a simple map. */
function query(answer: QueryAnswer = {}): Extra {
  return {
    abci_query: (params: Call['params']) => {
      const asked = new TextDecoder().decode(hexToBytes(params.data ?? ''))
      const { name = asked, height = 9, code = 0 } = answer
      const value = answer.value ?? PAIRS.get(name) ?? ''
      const proof = proofs[names.indexOf(name)]
      const op = proof && makeValueOp(utf8ToBytes(name), proof)
      const own = op ? [{ type: op.type, key: bytesToBase64(op.key), data: bytesToBase64(op.data) }] : []
      return {
        response: {
          ...{ code, log: 'a log', info: '', index: '0', codespace: '' },
          key: bytesToBase64(utf8ToBytes(name)),
          value: bytesToBase64(utf8ToBytes(value)),
          proofOps: { ops: [...(answer.ops ?? own)] },
          height: String(height),
        },
      }
    },
  }
}

interface Setup {
  readonly answer?: QueryAnswer
  readonly chain?: Blocks
  readonly lie?: Lie
  readonly options?: Partial<VerifiedClientOptions>
}

async function start({ answer, chain = CHAIN, lie, options }: Setup = {}) {
  const node = await startMadeNode(chain, lie, { extra: query(answer) })
  const client = await createVerifiedClient({
    client: createRpcClient(createHttpTransport(node.url)),
    trust: { chainId: 'made', height: 1, hash: hashOf(blockOf(chain, 1)), period: 100n * 365n * 24n * HOUR },
    witnesses: [createHttpProvider({ chainId: 'made', url: node.url })],
    ...options,
  })
  return { ...client, node, [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() }
}

describe('a query', () => {
  test('the answer to a query is proved by the header of the next height', async () => {
    await using client = await start()
    const { response } = await client.abciQuery({ data: 'alice' })
    expect([response.value, response.height]).toEqual([utf8ToBytes('17'), 9])
    const { calls } = client.node
    expect(calls.find(({ method }) => method === 'abci_query')?.params.prove).toBe(true)
    // A key may have an empty value.
    expect((await client.abciQuery({ data: 'zero' })).response.value).toHaveLength(0)
  })

  test.each([
    ['another value', { value: '18' }],
    ['no value', { value: '' }],
    ['the true proof of another key', { name: 'bob' }],
    ['a value without a proof', { ops: [] }, LIGHT_ERRORS.unprovable],
    ['an unknown operator', { ops: [{ type: 'ics23:iavl', key: '', data: '' }] }, LIGHT_ERRORS.unprovable],
    ['an operator that is no message', { ops: [{ type: 'simple:v', key: '', data: '////' }] }],
    ['a refusal', { code: 7 }, LIGHT_ERRORS.unprovable],
    ['height 0', { height: 0 }, LIGHT_ERRORS.unprovable],
    ['the wrong height', { height: 8 }, LIGHT_ERRORS.wrongAnswer, 7],
  ] as const)(
    'a false or unproved answer to a query is refused: %s',
    async (_name, answer: QueryAnswer, code?: string, height?: number) => {
      await using client = await start({ answer })
      expect(await failureOf(client.abciQuery({ data: 'alice', height: height ?? 0 }))).toMatchObject({
        code: code ?? LIGHT_ERRORS.wrongAnswer,
        data: { method: 'abci_query' },
      })
    },
  )

  test.each([
    ['the key', { name: 'k'.repeat(100_000) }],
    ['the type of a proof operator', { ops: [{ type: 't'.repeat(100_000), key: '', data: '' }] }],
  ])('the error for a false answer shows only the beginning of %s', async (_name, answer) => {
    await using client = await start({ answer })
    const { message } = await failureOf(client.abciQuery({ data: 'alice' }))
    expect(message).toMatch(/6B6B6B|ttt/)
    expect(message.length).toBeLessThan(1200)
  })

  test('a query waits for the next header', async () => {
    const chain = new Map<number, LightBlock>([...CHAIN].filter(([height]) => height <= 9))
    let questions = 0
    // The node makes the next block when its latest block is requested for the second time.
    const lie: Lie = (result, { method, params }) => {
      if (method === 'commit' && params.height === undefined && ++questions === 2) chain.set(10, blockOf(CHAIN, 10))
      return result
    }
    await using client = await start({ chain, lie })
    expect((await client.abciQuery({ data: 'alice' })).response.height).toBe(9)
    expect(questions).toBe(3)
  })

  test('a query ends if the next header does not come', async () => {
    const chain = new Map<number, LightBlock>([...CHAIN].filter(([height]) => height <= 9))
    await using client = await start({ chain, options: { maxWaitMs: 0 } })
    expect(await failureOf(client.abciQuery({ data: 'alice' }))).toMatchObject({
      code: LIGHT_ERRORS.heightTooHigh,
      data: { height: 10 },
    })
  })

  test('a query uses the given decoders and keys', async () => {
    const asked: string[] = []
    // Decodes a proof operator of the outer tree. The outer tree has the root of the inner tree as its value for the
    // key `bank`. A real operator computes the root of the outer tree from this value. To keep the test simple, this
    // operator returns the value itself, so both trees have the same root.
    const upper: OperatorDecoder = ({ key }) => {
      asked.push(bytesToHex(key))
      return { key, run: (values) => values }
    }
    const op = makeValueOp(utf8ToBytes('alice'), proofs[0] as (typeof proofs)[number])
    const ops = [
      { type: op.type, key: bytesToBase64(op.key), data: bytesToBase64(op.data) },
      { type: 'upper', key: bytesToBase64(utf8ToBytes('bank')), data: '' },
    ]
    await using client = await start({ answer: { ops }, options: { operators: { upper } } })
    // As in the Cosmos SDK, the name of the store is the outer key.
    await client.abciQuery({ path: '/store/bank/key', data: 'alice' })
    expect(asked).toEqual([bytesToHex(utf8ToBytes('bank'))])
    expect(await failureOf(client.abciQuery({ path: '/store/gov/key', data: 'alice' }))).toMatchObject({
      code: LIGHT_ERRORS.wrongAnswer,
    })
    await using own = await start({
      answer: { ops },
      options: { operators: { upper }, keysOf: ({ data }) => [utf8ToBytes('bank'), data] },
    })
    await own.abciQuery({ path: '/any', data: 'alice' })
  })
})
