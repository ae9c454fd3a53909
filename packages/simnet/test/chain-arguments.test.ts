import type { Application } from '@org/abci'
import { defaultConsensusParams, hashTx } from '@org/types'
import type { RequestInitChain } from '@org/types/abci'
import { bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { describe, expect, test } from 'vitest'
import { type Chain, type ChainOptions, createChain } from '../src/index.ts'

function start(options: ChainOptions): Promise<Chain> {
  return createChain(options)
}

describe('error: a wrong member of the genesis is refused', () => {
  const circular: { self?: object } = {}
  circular.self = circular
  const time =
    'genesis.genesisTime must be nanoseconds since 1970 (a bigint), a valid Date, or text such as "2024-01-31T12:00:00Z", got'
  test.each<[string, unknown, string]>([
    ['null', null, 'genesis must be an object such as { appState: { … } }, got null'],
    ['text', '{}', 'genesis must be an object such as { appState: { … } }, got text "{}"'],
    ['the time as another text', { genesisTime: 'today' }, `${time} text "today"`],
    ['an invalid Date', { genesisTime: new Date(Number.NaN) }, `${time} an object of the type Date`],
    ['the time as a number', { genesisTime: 5 }, `${time} number 5`],
    ['a time after the year 9999', { genesisTime: 10n ** 21n }, `${time} bigint 1000000000000000000000n`],
    ['chainId', { chainId: 5 }, 'genesis.chainId must be text, got number 5'],
    ['an empty chainId', { chainId: '' }, 'genesis: genesis doc must include non-empty chain_id'],
    ['a long chainId', { chainId: 'x'.repeat(51) }, 'genesis: chain_id in genesis doc is too long'],
    ['initialHeight', { initialHeight: 2n ** 53n }, 'genesis.initialHeight must be a whole number from 1'],
    ['half an initialHeight', { initialHeight: 1.5 }, 'genesis.initialHeight must be a whole number from 1'],
    ['a negative initialHeight', { initialHeight: -1 }, 'genesis.initialHeight must be a whole number from 1'],
    ['appHash', { appHash: 'AB' }, 'genesis.appHash must be bytes (a Uint8Array; for hex, '],
    ['a function as appState', { appState: () => ({}) }, 'genesis.appState must be JSON text, or an object'],
    ['a circular appState', { appState: circular }, 'genesis.appState must be JSON text, or an object'],
    ['a Map as appState', { appState: new Map() }, 'genesis.appState must be JSON text, or an object'],
    ['consensusParams', { consensusParams: 5 }, 'genesis.consensusParams must be an object such as'],
    [
      'a parameter',
      { consensusParams: { block: { maxBytes: 'much' } } },
      'genesis.consensusParams.block.maxBytes must be a whole number of 64 bits',
    ],
    [
      'the name of a parameter',
      { consensusParams: { block: { max_bytes: 5 } } },
      'genesis.consensusParams.block.max_bytes must be left out (the members are maxBytes, maxGas)',
    ],
    ['a group of parameters', { consensusParams: { block: 5 } }, 'genesis.consensusParams.block must be an object'],
    ['an impossible parameter', { consensusParams: { block: { maxBytes: 0 } } }, 'genesis: block.MaxBytes cannot be 0'],
    ['validators', { validators: {} }, 'genesis.validators must be a list'],
    ['a validator', { validators: [{ power: 1 }] }, 'genesis.validators[0].pubKey must be a public key'],
  ])('%s', async (_, genesis, message) => {
    await expect(createChain({ app: {}, genesis: genesis as never })).rejects.toMatchObject({
      code: 'CHAIN_BAD_OPTION',
      message: expect.stringContaining(message),
    })
  })
})

describe('default: members of the genesis in the form that a user has', () => {
  test.each<[string, bigint | Date | string]>([
    ['a bigint', 1_600_000_000_000_000_000n],
    ['a Date', new Date('2020-09-13T12:26:40Z')],
    ['text', '2020-09-13T12:26:40Z'],
  ])('the time as %s', async (_, genesisTime) => {
    await using one = await start({ app: {}, genesis: { genesisTime } })
    expect(one.time()).toBe(1_600_000_000_000_000_000n)
    await one.advance()
    expect(one.height()).toBe(1)
  })

  test('parameters that are left out have their default; an initial height may be a bigint', async () => {
    let request: RequestInitChain | undefined
    const app: Application = {
      initChain: (given) => {
        request = given
      },
    }
    const consensusParams = { block: { maxGas: 50, maxBytes: undefined }, evidence: undefined }
    await using one = await start({
      app,
      genesis: { consensusParams, initialHeight: 10n, chainId: undefined as never },
    })
    const defaults = defaultConsensusParams()
    expect(request).toMatchObject({
      consensusParams: { ...defaults, block: { ...defaults.block, maxGas: 50n } },
      initialHeight: 10,
      chainId: 'test-chain',
    })
    await one.advance()
    expect(one.height()).toBe(10)
  })
})

describe('error: wrong options and arguments are refused, and the error has the right form', () => {
  class Token {
    checkTx(): object {
      return {}
    }
  }
  test.each<[string, unknown, string]>([
    ['no options', undefined, 'createChain: options must be an object such as { app: () => … }, got nothing'],
    ['null', null, 'createChain: options must be an object such as { app: () => … }, got null'],
    ['a function', () => new Token(), 'createChain needs options: write createChain({ app: … })'],
    ['an application', new Token(), 'the options are an application: write createChain({ app: … })'],
    ['powers', { app: {}, powers: 5 }, 'powers must be a list such as [10, 20], got number 5'],
    ['automine', { app: {}, automine: 'no' }, 'automine must be true or false, got text "no"'],
  ])('createChain: %s', async (_, options, message) => {
    await expect(createChain(options as ChainOptions)).rejects.toMatchObject({
      code: 'CHAIN_BAD_OPTION',
      message: expect.stringContaining(message),
    })
  })

  const bytes = 'text, which is encoded as UTF-8, or bytes (a Uint8Array), got'
  test.each<[string, (one: Chain) => unknown, string]>([
    ['advance({ block })', (one) => one.advance({ block: 1 } as never), 'advance: the member block does not exist'],
    ['advance(5)', (one) => one.advance(5 as never), 'advance: by must be an object such as { blocks: 5 }'],
    ['advance(null)', (one) => one.advance(null as never), 'advance: by must be an object such as { blocks: 5 }'],
    ['advance({ time })', (one) => one.advance({ time: 5n as never }), 'time is bigint 5n: it must be from 0 to'],
    ['advance({ blocks })', (one) => one.advance({ blocks: '5' as never }), 'blocks is text "5": it must be a whole'],
    ['tx', (one) => one.tx('AA' as never), 'tx: hash must be bytes (a Uint8Array), such as the hash that broadcast'],
    ['broadcast', (one) => one.broadcast(5 as never), `broadcast: tx must be ${bytes} number 5`],
    [
      'search',
      (one) => one.search(undefined as never),
      'search: query must be text such as "tx.height=1", got nothing',
    ],
    ['searchBlocks', (one) => one.searchBlocks(5 as never), 'searchBlocks: query must be text such as'],
    ['query: path', (one) => one.query(5 as never), 'query: path must be text such as "/name", got number 5'],
    ['query: data', (one) => one.query('/x', {} as never), `query: data must be ${bytes} an object without members`],
    ['query: height', (one) => one.query('/x', '', '5' as never), 'query: height must be a height (a whole number)'],
    ['block', async (one) => one.block('5' as never), 'block: height must be a height (a whole number), got text "5"'],
    ['results', async (one) => one.results(1.5), 'results: height must be a height (a whole number), got number 1.5'],
    ['subscribe: query', async (one) => one.subscribe(5 as never, () => undefined), 'subscribe: query must be text'],
    [
      'subscribe: listener',
      async (one) => one.subscribe("a='b'", 5 as never),
      'subscribe: listener must be a function',
    ],
    [
      'subscribe: signal',
      async (one) => one.subscribe("a='b'", () => undefined, 5 as never),
      'subscribe: signal must be an AbortSignal',
    ],
    ['revert', (one) => one.revert(5 as never), 'the snapshot was taken on another chain'],
  ])('%s', async (_, call, message) => {
    await using one = await start({ app: () => ({}) })
    await expect(call(one)).rejects.toMatchObject({
      code: 'CHAIN_BAD_OPTION',
      message: expect.stringContaining(message),
    })
    expect(one.height()).toBe(0)
  })

  test('a transaction that is too long rejects with the line of the test in the stack', async () => {
    await using one = await start({ app: {} })
    const error = await one.broadcast(new Uint8Array(2_000_000)).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'MEMPOOL_TX_TOO_LARGE',
      stack: expect.stringContaining('chain-arguments.test.ts'),
    })
  })
})

test('error: a chain whose validators are unknown says which keys the application named', async () => {
  const pubKey = { type: 'ed25519', bytes: new Uint8Array(32).fill(1) } as const
  const shown = `PubKeyEd25519{${'01'.repeat(32)}}`
  await using one = await start({ app: { initChain: () => ({ validators: [{ pubKey, power: 5 }] }) } })
  await expect(one.advance()).rejects.toMatchObject({
    code: 'CHAIN_STUCK',
    message: expect.stringContaining(
      `validators whose nodes do not run in this chain have 5 of the total power 5, so that no block gets +2/3: ${shown}`,
    ),
  })
})

test('default: an application may change its requests', async () => {
  const reversed = (txs: readonly Uint8Array[]): Uint8Array[] => (txs as Uint8Array[]).reverse()
  const spoil = (txs: readonly Uint8Array[]): void => {
    for (const tx of reversed(txs)) tx.fill(0)
  }
  const app = (): Application => ({
    checkTx: ({ tx }) => {
      tx.fill(0)
      return {}
    },
    prepareProposal: ({ txs }) => ({ txs: reversed(txs) }),
    processProposal: ({ txs }) => {
      spoil(txs)
      return { status: 1 }
    },
    finalizeBlock: (request) => {
      const txResults = request.txs.map((tx) => ({ data: bytesToUtf8(tx) }))
      spoil(request.txs)
      request.proposerAddress.fill(0)
      request.hash.fill(0)
      return { txResults }
    },
  })
  await using two = await start({ app, validators: 2, automine: false })
  for (const tx of ['a', 'b', 'c']) await two.broadcast(tx)
  await two.advance({ blocks: 2 })
  const [first] = (two.block(1)?.data.txs.length ?? 0) > 0 ? [1] : [2]
  const txs = two.block(first)?.data.txs.map(bytesToUtf8) ?? []
  expect(txs).toEqual(['c', 'b', 'a'])
  for (const [index, name] of txs.entries()) {
    const found = await two.tx(hashTx(utf8ToBytes(name)))
    expect(found).toMatchObject({ height: first, index, tx: utf8ToBytes(name), result: { data: utf8ToBytes(name) } })
  }
})
