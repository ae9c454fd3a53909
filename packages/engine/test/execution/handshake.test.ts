import { State } from '@org/types'
import { ResponseCommit, ResponseInfo, ResponseInitChain } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { beforeAll, expect, test } from 'vitest'
import { type HandshakeModules, handshake, makeGenesisState } from '../../src/execution/index.ts'
import type { BlockStore } from '../../src/store/index.ts'
import { createMemoryStore, createStateStore } from '../../src/store/index.ts'
import { loadRecordedChain, type RecordedChain } from './recorded-chain.ts'
import { quiet, stateAt } from './replayed.ts'

let chain: RecordedChain
beforeAll(async () => {
  chain = await loadRecordedChain('kvstore-single')
})

/**
 * Creates an application that has executed the recorded blocks up to `height`. It gives the recorded answers for all
 * later blocks.
 */
function appAt(height: number) {
  const calls: string[] = []
  let at = height
  const hashAfter = (h: number): Uint8Array =>
    h <= 0 ? new Uint8Array(0) : chain.stateStore.loadFinalizeBlockResponse(h).appHash
  const abci: HandshakeModules['abci'] = {
    query: {
      info: () =>
        Promise.resolve(
          ResponseInfo.create({ lastBlockHeight: at, lastBlockAppHash: hashAfter(at), appVersion: 1n, version: 'x' }),
        ),
    },
    consensus: {
      initChain: () => {
        calls.push('init')
        return Promise.resolve(ResponseInitChain.create({ appHash: chain.block(1).block.header.appHash }))
      },
      finalizeBlock: (request) => {
        calls.push(String(request.height))
        at = request.height
        return Promise.resolve(chain.stateStore.loadFinalizeBlockResponse(request.height))
      },
      commit: () => Promise.resolve(ResponseCommit.create()),
    },
  }
  return { abci, calls }
}

function upTo(height: number, base = 1): BlockStore {
  return { ...chain.blockStore, height: () => height, base: () => (height === 0 ? 0 : base) }
}

async function run(heights: { readonly app: number; readonly state: number; readonly store: number; base?: number }) {
  const { state, stateStore } = await stateAt(chain, heights.state)
  if (heights.app > heights.state && heights.app <= heights.store) {
    await stateStore.saveFinalizeBlockResponse(heights.app, chain.stateStore.loadFinalizeBlockResponse(heights.app))
  }
  const { abci, calls } = appAt(heights.app)
  const published: string[] = []
  const indexed: number[] = []
  const modules = {
    ...quiet,
    abci,
    stateStore,
    blockStore: upTo(heights.store, heights.base),
    events: { publish: ({ type }: { type: string }) => published.push(type) },
    indexer: {
      index: ({ header }: { header: { height: number } }) => Promise.resolve(void indexed.push(header.height)),
    },
  }
  const result = await handshake({ genesis: chain.genesis, state }, modules)
  return { result, calls, stateStore, published, indexed }
}

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index))

const CASES: readonly [name: string, app: number, state: number, store: number, calls: readonly string[]][] = [
  ['everything at one height', 9, 9, 9, []],
  ['an application that lost its state', 0, 9, 9, ['init', ...range(1, 9)]],
  ['an application that is behind', 4, 9, 9, range(5, 9)],
  ['a block that was saved, not executed', 9, 9, 10, ['10']],
  ['a block that the application committed, state not saved', 10, 9, 10, []],
  ['a block not executed, and an application that is behind', 5, 9, 10, range(6, 10)],
  ['a block not executed, and an application that lost its state', 0, 9, 10, ['init', ...range(1, 10)]],
  ['the first block not executed', 0, 0, 1, ['init', '1']],
  ['the first block committed, state not saved', 1, 0, 1, []],
]

for (const [name, app, state, store, expected] of CASES) {
  test(`behavior: ${name} (app ${app}, state ${state}, store ${store})`, async () => {
    const { result, calls, stateStore, published, indexed } = await run({ app, state, store })
    expect(calls).toEqual(expected)
    const wanted = (await stateAt(chain, store)).state
    expect(bytesToHex(State.encode(result))).toBe(bytesToHex(State.encode(wanted)))
    expect(bytesToHex(State.encode(stateStore.load() as State))).toBe(bytesToHex(State.encode(wanted)))
    expect(indexed).toEqual(store > state ? [store] : [])
    expect(published.length > 0).toBe(store > state)
  })
}

test('default: a new chain is initialised, and its state saved', async () => {
  const stateStore = createStateStore({}, { db: createMemoryStore() })
  const { abci, calls } = appAt(0)
  const state = makeGenesisState(chain.genesis)
  const result = await handshake({ genesis: chain.genesis, state }, { ...quiet, abci, stateStore, blockStore: upTo(0) })
  expect(calls).toEqual(['init'])
  const wanted = (await stateAt(chain, 0)).state
  expect(State.toJson(result)).toEqual(State.toJson(wanted))
  expect(stateStore.load()).toEqual(wanted)
})

test('behavior: validators and parameters of InitChain replace those of genesis', async () => {
  const stateStore = createStateStore({}, { db: createMemoryStore() })
  const { abci } = appAt(0)
  const pubKey = { type: 'ed25519', bytes: new Uint8Array(32).fill(7) } as const
  const initChain = () =>
    Promise.resolve(
      ResponseInitChain.create({
        validators: [{ pubKey, power: 33n }],
        consensusParams: {
          block: undefined,
          evidence: undefined,
          validator: undefined,
          abci: undefined,
          version: { app: 9n },
        },
      }),
    )
  const result = await handshake(
    { genesis: chain.genesis, state: makeGenesisState(chain.genesis) },
    { ...quiet, abci: { ...abci, consensus: { ...abci.consensus, initChain } }, stateStore, blockStore: upTo(0) },
  )
  expect(result.validators.validators.map(({ votingPower }) => votingPower)).toEqual([33n])
  expect(result.version.consensus.app).toBe(9n)
  expect(bytesToHex(result.lastResultsHash)).toBe('E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855')
})

test('behavior: progress is reported and a signal stops the replay', async () => {
  const { state, stateStore } = await stateAt(chain, 9)
  const { abci } = appAt(0)
  const heights: number[] = []
  const onProgress = ({ height }: { height: number }): void => void heights.push(height)
  await handshake({ genesis: chain.genesis, state, onProgress }, { ...quiet, abci, stateStore, blockStore: upTo(9) })
  expect(heights.at(-1)).toBe(9)
  const stopped = handshake(
    { genesis: chain.genesis, state, signal: AbortSignal.abort(new Error('stop')) },
    { ...quiet, abci: appAt(0).abci, stateStore, blockStore: upTo(9) },
  )
  await expect(stopped).rejects.toThrow('stop')
})

test('error: refuses heights that do not fit together', async () => {
  await expect(run({ app: 11, state: 9, store: 10 })).rejects.toMatchObject({ code: 'HANDSHAKE_APP_TOO_HIGH' })
  await expect(run({ app: 3, state: 9, store: 9, base: 6 })).rejects.toMatchObject({ code: 'HANDSHAKE_APP_TOO_LOW' })
  await expect(run({ app: 0, state: 9, store: 9, base: 2 })).rejects.toMatchObject({
    code: 'HANDSHAKE_APP_TOO_LOW',
    message: expect.stringContaining('use an application that stores its data, such as persistent_kvstore'),
  })
  await expect(run({ app: 7, state: 9, store: 8 })).rejects.toMatchObject({ code: 'HANDSHAKE_STATE_AHEAD_OF_STORE' })
  await expect(run({ app: 9, state: 9, store: 11 })).rejects.toMatchObject({ code: 'HANDSHAKE_STORE_AHEAD_OF_STATE' })
  await expect(run({ app: -1, state: 9, store: 9 })).rejects.toThrow(
    'got a negative last block height (-1) from the app',
  )
})

test('error: the error about another application has both hashes and the remedy', async () => {
  const { state, stateStore } = await stateAt(chain, 9)
  for (const app of [0, 4, 9]) {
    const { abci } = appAt(app)
    const other = new Uint8Array([1, 2])
    const lie: HandshakeModules['abci'] = {
      query: {
        info: async (request) => ({ ...(await abci.query.info(request)), lastBlockAppHash: other }),
      },
      consensus: {
        ...abci.consensus,
        finalizeBlock: async (request) => ({ ...(await abci.consensus.finalizeBlock(request)), appHash: other }),
      },
    }
    const attempt = handshake(
      { genesis: chain.genesis, state },
      { ...quiet, abci: lie, stateStore, blockStore: upTo(9) },
    )
    await expect(attempt).rejects.toMatchObject({
      code: 'HANDSHAKE_APP_HASH_MISMATCH',
      data: { appHash: '0102' },
      message: expect.stringContaining(
        'remove the data of the application and of the node (halley reset-state --home <this home> removes that of the node)',
      ),
    })
  }
})

test('error: refuses an application with state and an empty home', async () => {
  const stateStore = createStateStore({}, { db: createMemoryStore() })
  const attempt = handshake(
    { genesis: chain.genesis, state: makeGenesisState(chain.genesis) },
    { ...quiet, abci: appAt(5).abci, stateStore, blockStore: upTo(0) },
  )
  await expect(attempt).rejects.toMatchObject({ code: 'HANDSHAKE_APP_HASH_MISMATCH' })
})

test('error: refuses a state without blocks, as after a state sync, with an application that lost its state', async () => {
  const { state, stateStore } = await stateAt(chain, 9)
  const { abci } = appAt(0)
  const initChain = () => Promise.resolve(ResponseInitChain.create())
  const attempt = handshake(
    { genesis: chain.genesis, state },
    { ...quiet, abci: { ...abci, consensus: { ...abci.consensus, initChain } }, stateStore, blockStore: upTo(0) },
  )
  await expect(attempt).rejects.toMatchObject({ code: 'HANDSHAKE_APP_HASH_MISMATCH', data: { height: 9, appHash: '' } })
})

test('error: refuses a chain without validators', async () => {
  const genesis = { ...chain.genesis, validators: [] }
  const { abci } = appAt(0)
  const stateStore = createStateStore({}, { db: createMemoryStore() })
  const attempt = handshake(
    { genesis, state: makeGenesisState(genesis) },
    { ...quiet, abci, stateStore, blockStore: upTo(0) },
  )
  await expect(attempt).rejects.toThrow('validator set is nil in genesis and still empty after InitChain')
})
