import type { AnswerOf, Application } from '@org/abci'
import type { EventItem } from '@org/engine/events'
import { defaultConsensusParams } from '@org/types'
import { bytesToHex, equalBytes, utf8ToBytes } from '@org/types/bytes'
import { describe, expect, test } from 'vitest'
import { type Chain, type ChainOptions, createChain } from '../src/index.ts'

function start(options: ChainOptions): Promise<Chain> {
  return createChain(options)
}

/** Returns a function that makes an application at each call. `number` is the number of the validator, from 0. */
function each(make: (number: number) => Application): () => Application {
  let made = 0
  return () => make(made++)
}

describe('error: a wrong answer of an application', () => {
  test('to CheckTx or Query rejects that call, and the chain continues', async () => {
    const answers = { checkTx: { gasWanted: 1.5 } as object, query: 'text' as unknown }
    await using one = await start({ app: { checkTx: () => answers.checkTx, query: () => answers.query as object } })
    await expect(one.broadcast('a')).rejects.toMatchObject({
      cause: { code: 'ABCI_BAD_ANSWER' },
      message: expect.stringContaining('checkTx: gasWanted must be a whole number'),
    })
    await expect(one.query('/x')).rejects.toMatchObject({
      message: expect.stringContaining('query: the answer must be an object'),
    })
    await one.advance({ blocks: 2 })
    answers.checkTx = { gasWanted: 1 }
    expect(await one.broadcast('b')).toMatchObject({ code: 0, height: 3 })
  })

  test('to CheckTx for a transaction that waits does not stop the chain', async () => {
    const app: Application = { checkTx: ({ type }) => (type === 0 ? {} : ({ code: 'no' } as never)) }
    await using one = await start({ app, automine: false, genesis: {} })
    await one.broadcast('a')
    await one.advance()
    expect(one.block()?.data.txs).toHaveLength(1)
  })

  test('to FinalizeBlock stops the chain, and the error has method and field', async () => {
    const attributes = [{ key: 'k', value: 5 as never }]
    await using one = await start({ app: { finalizeBlock: () => ({ events: [{ type: 'e', attributes }] }) } })
    await expect(one.advance()).rejects.toMatchObject({
      code: 'CHAIN_HALTED',
      message: expect.stringContaining(
        'finalizeBlock: events[0].attributes[0].value must be text (a string), got number 5',
      ),
    })
  })
})

describe('error: validators that disagree are named', () => {
  test('the app hash differs on one of four', async () => {
    const app = each((number) => ({
      finalizeBlock: ({ txs, height }) => ({
        txResults: txs.map(() => ({})),
        appHash: number === 2 && height === 2 ? 'b' : 'a',
      }),
    }))
    await using four = await start({ app, validators: 4 })
    await four.advance()
    await expect(four.advance({ blocks: 3 })).rejects.toMatchObject({
      code: 'CHAIN_VALIDATORS_DISAGREE',
      message:
        'validators disagree about block 2: the app hash is 61 on n0, n1, n3; 62 on n2. The results of all transactions are the same: look for state that depends on the time, on chance, or on the order of a loop',
    })
  })

  test('the result of a transaction differs', async () => {
    const app = each((number) => ({
      finalizeBlock: ({ txs }) => ({ txResults: txs.map((tx) => ({ data: tx[0] === 98 ? String(number % 2) : 'x' })) }),
    }))
    await using four = await start({ app, validators: 4, automine: false })
    for (const tx of ['a', 'b', 'c']) await four.broadcast(tx)
    await expect(four.advance({ blocks: 3 })).rejects.toMatchObject({
      code: 'CHAIN_VALIDATORS_DISAGREE',
      message: expect.stringMatching(
        /^validators disagree about block 1: the app hash is the same\. The first transaction that differs is number 1 \([0-9A-F]{64}\): code 0, data 30, gasWanted 0, gasUsed 0 on n0, n2; code 0, data 31, gasWanted 0, gasUsed 0 on n1, n3$/,
      ),
    })
  })

  const key = { type: 'ed25519', bytes: new Uint8Array(32).fill(1) } as const
  const shownKey = `PubKeyEd25519{${'01'.repeat(32)}}`
  test.each<[string, AnswerOf<'initChain'>, AnswerOf<'initChain'>, string]>([
    [
      'the app hash',
      { appHash: 'g' },
      { appHash: 'h' },
      'the app hash is 67 on n0, n1, n3; 68 on n2. The validators and the consensus parameters are the same: look for state that depends on the time, on chance, or on the order of a loop',
    ],
    [
      'the app hash is missing',
      { appHash: 'g' },
      undefined,
      'the app hash is 67 on n0, n1, n3; (empty) on n2. The val',
    ],
    [
      'the consensus parameters',
      {},
      { consensusParams: { block: { maxBytes: 5000, maxGas: -1 } } },
      'the app hash is the same. The value of consensusParams.block.maxBytes is 22020096 on n0, n1, n3; 5000 on n2',
    ],
  ])('the answer to initChain differs: %s', async (_, common, other, message) => {
    const app = each((number) => ({ initChain: () => (number === 2 ? other : common) }))
    await expect(start({ app, validators: 4 })).rejects.toMatchObject({
      code: 'CHAIN_VALIDATORS_DISAGREE',
      message: expect.stringContaining(`validators disagree about the answer to initChain: ${message}`),
    })
  })

  test('the answer to initChain names other validators', async () => {
    const app = each((number) => ({
      initChain: ({ validators }) => ({ validators: [...validators, { pubKey: key, power: number === 1 ? 2 : 1 }] }),
    }))
    const sameValidators = each((number) => ({
      initChain: ({ validators }) => (number === 1 ? {} : { validators: [...validators].reverse() }),
    }))
    await expect(start({ app, validators: 2 })).rejects.toMatchObject({
      code: 'CHAIN_VALIDATORS_DISAGREE',
      message: `validators disagree about the answer to initChain: the app hash is the same. The power of validator ${shownKey} is 1 on n0; 2 on n1`,
    })
    await using two = await start({ app: sameValidators, validators: 2 })
    await two.advance()
  })

  test('the validator updates or the consensus parameters of a block differ', async () => {
    const app = each((number) => ({
      finalizeBlock: ({ height }) =>
        height < 2
          ? {}
          : {
              validatorUpdates: number === 0 ? [] : [{ pubKey: key, power: number }],
              consensusParamUpdates: { block: { maxBytes: 4000 + number, maxGas: -1 } },
            },
    }))
    await using three = await start({ app, validators: 3 })
    await expect(three.advance({ blocks: 4 })).rejects.toMatchObject({
      code: 'CHAIN_VALIDATORS_DISAGREE',
      message: `validators disagree about block 2: the app hash is the same. The new power of validator ${shownKey} is missing on n0; 1 on n1; 2 on n2. The value of consensusParamUpdates.block.maxBytes is 4000 on n0; 4001 on n1; 4002 on n2`,
    })
  })

  test('the same validator updates in another order are no disagreement', async () => {
    const updates = [1, 2].map((n) => ({ pubKey: { ...key, bytes: key.bytes.map(() => n) }, power: 1 }))
    const app = each((number) => ({
      finalizeBlock: ({ height }) =>
        height === 1 ? { validatorUpdates: number === 0 ? updates : [...updates].reverse() } : {},
    }))
    await using two = await start({ app, validators: 2, powers: [100, 100] })
    await two.advance({ blocks: 4 })
    expect(two.validators()).toHaveLength(4)
  })

  test('validators that refuse every proposal are named within seconds', async () => {
    const app = each((number) => ({ processProposal: () => ({ status: number === 0 ? 1 : 2 }) }))
    await using four = await start({ app, validators: 4, automine: false })
    const { hash } = await four.broadcast('a')
    await expect(four.advance()).rejects.toMatchObject({
      code: 'CHAIN_PROPOSALS_REFUSED',
      message: `block 1 cannot be decided: n1, n2, n3 refused 4 proposals for block 1 in processProposal in the rounds 0 to 3, proposed by n0, n1, n2, n3; the first transaction of the last proposal is ${bytesToHex(hash)}`,
    })
  })

  test('a single validator that refuses its own proposals is named', async () => {
    await using one = await start({ app: () => ({ processProposal: () => ({ status: 2 }) }) })
    await expect(one.advance()).rejects.toMatchObject({
      code: 'CHAIN_PROPOSALS_REFUSED',
      message: expect.stringMatching(
        /^block 1 cannot be decided: n0 refused 3 proposals for block 1 in processProposal in the rounds 0 to 2, .*; the last proposal has no transaction$/,
      ),
    })
  })

  test('proposals of one validator that the others refuse do not stop the chain', async () => {
    const app = each((number) => ({
      prepareProposal: ({ txs }) => ({ txs: number === 0 ? [...txs, new Uint8Array([1])] : txs }),
      processProposal: ({ txs }) => ({ status: txs.some((tx) => tx[0] === 1) ? 2 : 1 }),
    }))
    await using four = await start({ app, validators: 4 })
    await four.advance({ blocks: 8 })
    expect(four.height()).toBe(8)
  })

  const withExtensions = {
    genesis: { consensusParams: { ...defaultConsensusParams(), abci: { voteExtensionsEnableHeight: 1 } } },
  }
  test('validators that refuse vote extensions are named, and the validators that made them', async () => {
    const app = each((number) => ({
      extendVote: () => ({ voteExtension: `of ${number}` }),
      verifyVoteExtension: ({ voteExtension, height }) => {
        const isOfFirst = new TextDecoder().decode(voteExtension) === 'of 0'
        return { status: height === 2 && (isOfFirst || number === 0) ? 2 : 1 }
      },
    }))
    await using four = await start({ app, validators: 4, powers: [40, 20, 20, 20], ...withExtensions })
    await four.advance()
    await expect(four.advance()).rejects.toMatchObject({
      code: 'CHAIN_EXTENSIONS_REFUSED',
      message: expect.stringMatching(
        /^block 2 cannot be decided: vote extensions for block 2 are refused in verifyVoteExtension in round 0: n0 refused the extensions of n1, n2, n3; n1 refused the extensions of n0; n2 refused the extensions of n0; n3 refused the extensions of n0$/,
      ),
    })
  })

  test('refused extensions are named, also if only the first validator decided the height before', async () => {
    const app = each((number) => ({
      extendVote: () => ({ voteExtension: `of ${number}` }),
      verifyVoteExtension: ({ voteExtension }) => ({ status: voteExtension.at(-1) === 48 ? 2 : 1 }),
    }))
    await using four = await start({ app, validators: 4, powers: [40, 20, 20, 20], ...withExtensions })
    await expect(four.advance({ blocks: 2 })).rejects.toMatchObject({
      code: 'CHAIN_EXTENSIONS_REFUSED',
      message: expect.stringContaining(
        'n1 refused the extensions of n0; n2 refused the extensions of n0; n3 refused the extensions of n0',
      ),
    })
  })

  test('vote extensions of one validator that the others refuse do not stop the chain', async () => {
    const app = each(() => ({
      extendVote: () => ({ voteExtension: 'x' }),
      verifyVoteExtension: ({ validatorAddress }) => ({ status: equalBytes(validatorAddress, bad) ? 2 : 1 }),
    }))
    let bad: Uint8Array = new Uint8Array(0)
    await using four = await start({ app, validators: 4, ...withExtensions })
    bad = four.validators()[0]?.address as Uint8Array
    await four.advance({ blocks: 6 })
    expect(four.height()).toBe(6)
  })

  test('after going back, validators that agree continue', async () => {
    let wrong = false
    const app = each((number) => ({
      finalizeBlock: ({ txs }) => ({ txResults: txs.map(() => ({})), appHash: wrong && number % 2 === 1 ? 'b' : 'a' }),
    }))
    await using four = await start({ app, validators: 4 })
    const before = await four.snapshot()
    wrong = true
    await expect(four.advance()).rejects.toMatchObject({ code: 'CHAIN_VALIDATORS_DISAGREE' })
    wrong = false
    await four.revert(before)
    await four.advance({ blocks: 2 })
  })
})

test('error: a transaction that is sent twice is refused, with the line of the test in the stack', async () => {
  await using one = await start({ app: {} })
  await one.broadcast('a')
  const error = await one.broadcast('a').catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    code: 'MEMPOOL_TX_IN_CACHE',
    message: expect.stringMatching(/^tx already exists in cache: the chain has seen these bytes already/),
    stack: expect.stringContaining('chain-errors.test.ts'),
  })
})

describe('error: options are refused with the line to write', () => {
  class Token {
    checkTx(): object {
      return {}
    }
  }
  test.each<[object, string]>([
    [{ app: Token }, 'app is the class Token: write createChain({ app: () => new Token() })'],
    [{ app: {}, blocktime: 5 }, 'the option blocktime does not exist: write blockTime'],
    [
      { app: {}, blocks: 5 },
      'the option blocks does not exist: the names are app, validators, powers, automine, blockTime, answerWithin, genesis, logger',
    ],
    [{ app: {}, genesis: { app_state: {} } }, 'the genesis member app_state does not exist: write appState'],
    [{ app: {}, genesis: { appState: '{' } }, 'genesis.appState must be JSON text'],
    [{ app: {}, genesis: { appState: { a: 1n } } }, 'genesis.appState must be JSON text'],
    [{ app: {}, powers: [1.5] }, 'the power 1.5 is not a bigint above 0'],
  ])('%o', async (options, message) => {
    await expect(createChain(options as ChainOptions)).rejects.toMatchObject({
      code: 'CHAIN_BAD_OPTION',
      message: expect.stringContaining(message),
    })
  })

  const made = 'the function that makes the application must return it: '
  test.each<[string, unknown, string]>([
    ['a function that makes no application', () => undefined, `${made}app must be an object with methods`],
    ['an async function', async () => new Token(), `${made}app is a promise: write \`await\` before it`],
    ['a promise', Promise.resolve(new Token()), 'app is a promise: write `await` before it'],
    ['a module', { default: new Token() }, 'write `.default` after it'],
    ['a function that makes a module', () => ({ default: new Token() }), 'write `.default` after it'],
    ['an array', [new Token()], 'got a list of 1'],
    ['a Map', new Map(), 'got an object of the type Map'],
    ['a wrong method', { checkTx: 5 }, 'app.checkTx must be a function, got number 5'],
  ])('refuses %s as app', async (_, app, message) => {
    await expect(createChain({ app: app as never })).rejects.toMatchObject({
      code: 'CHAIN_BAD_OPTION',
      message: expect.stringContaining(message),
    })
  })
})

describe('default: a chain serves the calls of users', () => {
  test('the state of the genesis may be an object, and powers numbers', async () => {
    let given = ''
    const app: Application = {
      initChain: ({ appStateBytes }) => {
        given = new TextDecoder().decode(appStateBytes)
      },
    }
    await using one = await start({ app: () => app, genesis: { appState: { alice: '100' } }, powers: [7] })
    expect(JSON.parse(given)).toEqual({ alice: '100' })
    expect(one.validators()[0]?.votingPower).toBe(7n)
  })

  test('search finds transactions and blocks; a subscription gets events, also after going back', async () => {
    const app = (): Application => ({
      finalizeBlock: ({ txs }) => ({
        txResults: txs.map((tx) => ({
          events: [{ type: 'app', attributes: [{ key: 'name', value: new TextDecoder().decode(tx), index: true }] }],
        })),
        events: [{ type: 'round', attributes: [{ key: 'size', value: String(txs.length), index: true }] }],
      }),
    })
    await using one = await start({ app })
    const seen: string[] = []
    const ended = new AbortController()
    const listener = ({ data }: EventItem): void => {
      if (data.type === 'Tx') seen.push(new TextDecoder().decode(data.txResult.tx))
    }
    one.subscribe("tm.event='Tx'", listener, ended.signal)
    await one.broadcast('a')
    const before = await one.snapshot()
    await one.broadcast('b')
    expect((await one.search("app.name='b'")).map(({ height, tx }) => [height, tx])).toEqual([[2, utf8ToBytes('b')]])
    expect(await one.searchBlocks('round.size=1')).toEqual([1, 2])
    await one.revert(before)
    expect(await one.search("app.name='b'")).toEqual([])
    await one.broadcast('c')
    ended.abort()
    one.subscribe("tm.event='Tx'", listener, ended.signal)
    await one.broadcast('d')
    expect(seen).toEqual(['a', 'b', 'c'])
    await expect(one.search('a b')).rejects.toMatchObject({ code: expect.stringContaining('QUERY') })
    expect(() => one.subscribe('a b', () => undefined)).toThrow()
  })
})
