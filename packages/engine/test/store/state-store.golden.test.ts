import { STORE_DUMPS } from '@org/golden'
import {
  AbciResponsesInfo,
  ConsensusParams,
  ConsensusParamsInfo,
  State,
  ValidatorSet,
  ValidatorsInfo,
} from '@org/types'
import { ResponseFinalizeBlock } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { describe, expect, it } from 'vitest'
import { createMemoryStore, createStateStore, decodeVarint, encodeVarint } from '../../src/store/index.ts'
import { dumpOf, printable, storeOf, text } from './dumps.ts'

describe.each(STORE_DUMPS)('state store of %s', (path) => {
  const pairs = dumpOf(path, 'state')

  it('default: every key is read, and encodes to the same bytes', async () => {
    const db = await storeOf(pairs)
    const store = createStateStore({}, { db })
    for (const [key, value] of pairs) {
      const name = printable(key)
      const [kind, height] = name.split(':') as [string, string | undefined]
      const at = Number(height)
      const same = (bytes: Uint8Array): void =>
        expect(`${name} ${bytesToHex(bytes)}`).toBe(`${name} ${bytesToHex(value)}`)
      if (kind === 'stateKey') same(State.encode(store.load() as State))
      else if (kind === 'abciResponsesKey') same(ResponseFinalizeBlock.encode(store.loadFinalizeBlockResponse(at)))
      else if (kind === 'lastABCIResponseKey') {
        const { height } = AbciResponsesInfo.decode(value)
        const responseFinalizeBlock = store.loadLastFinalizeBlockResponse(height)
        same(AbciResponsesInfo.encode({ legacyAbciResponses: undefined, height, responseFinalizeBlock }))
      } else if (kind === 'validatorsKey') {
        same(ValidatorsInfo.encode(ValidatorsInfo.decode(value)))
        expect(store.loadValidators(at).validators.length).toBeGreaterThan(0)
      } else if (kind === 'consensusParamsKey') {
        same(ConsensusParamsInfo.encode(ConsensusParamsInfo.decode(value)))
        expect(store.loadConsensusParams(at).block.maxBytes).toBeGreaterThan(0n)
      } else if (kind === 'offlineStateSyncHeightKey') {
        same(encodeVarint(store.offlineStateSyncHeight()))
        expect(decodeVarint(value)).toBe(store.offlineStateSyncHeight())
      } else if (kind === 'genesisDoc') {
        same(store.loadGenesisDoc() as Uint8Array)
      } else {
        throw new Error(`a key that nothing reads: ${name}`)
      }
    }
  })

  it('default: the last state saved again writes the same keys', async () => {
    const recorded = new Map(pairs.map(([key, value]) => [printable(key), bytesToHex(value)]))
    const state = createStateStore({}, { db: await storeOf(pairs) }).load() as State
    const db = createMemoryStore()
    await createStateStore({}, { db }).save(state)
    for await (const [key, value] of db.iterate()) {
      expect(`${printable(key)} ${bytesToHex(value)}`).toBe(`${printable(key)} ${recorded.get(printable(key))}`)
    }
  })

  it('default: the responses saved again write the same keys', async () => {
    const from = createStateStore({}, { db: await storeOf(pairs) })
    const db = createMemoryStore()
    const to = createStateStore({}, { db })
    const heights = pairs.flatMap(([key]) => /^abciResponsesKey:(\d+)$/.exec(printable(key))?.[1] ?? []).map(Number)
    heights.sort((a, b) => a - b)
    for (const at of heights) await to.saveFinalizeBlockResponse(at, from.loadFinalizeBlockResponse(at))
    for (const [key, value] of pairs) {
      if (/abciresponse/i.test(printable(key))) expect(db.get(key)).toEqual(value)
    }
  })

  it('behavior: validators of heights without a stored set are the rotated ones', async () => {
    const store = createStateStore({}, { db: await storeOf(pairs) })
    const state = store.load() as State
    // The recorded state contains the validator sets of the two heights after its last block. The recorded node rotated
    // them one height at a time. The store rotates an older set by all heights at once, and must get the same sets.
    const next = state.lastBlockHeight + 1
    expect(ValidatorSet.encode(store.loadValidators(next))).toEqual(ValidatorSet.encode(state.validators))
    expect(ValidatorSet.encode(store.loadValidators(next + 1))).toEqual(ValidatorSet.encode(state.nextValidators))
    expect(ConsensusParams.encode(store.loadConsensusParams(next))).toEqual(
      ConsensusParams.encode(state.consensusParams),
    )
  })
})

describe('state store', () => {
  it('behavior: discarded responses keep only the last', async () => {
    const db = createMemoryStore()
    const store = createStateStore({ discardAbciResponses: true }, { db })
    const response = ResponseFinalizeBlock.create({ appHash: text('a') })
    await store.saveFinalizeBlockResponse(1, response)
    expect(store.loadLastFinalizeBlockResponse(1)).toEqual(response)
    expect(() => store.loadFinalizeBlockResponse(1)).toThrow('node is not persisting finalize block responses')
    expect(db.get(text('abciResponsesKey:1'))).toBeUndefined()
    expect(store.hasFinalizeBlockResponse(1)).toBe(true)
    const keeping = createStateStore({}, { db })
    expect(keeping.hasFinalizeBlockResponse(1)).toBe(false)
    await keeping.saveFinalizeBlockResponse(1, response)
    expect([keeping.hasFinalizeBlockResponse(1), keeping.hasFinalizeBlockResponse(2)]).toEqual([true, false])
  })

  it('error: refuses missing heights', () => {
    const store = createStateStore({}, { db: createMemoryStore() })
    expect(store.load()).toBeUndefined()
    expect(() => store.loadValidators(5)).toThrow('could not find validator set for height #5')
    expect(() => store.loadConsensusParams(5)).toThrow(
      'could not find consensus params for height #5: value retrieved from db is empty',
    )
    expect(() => store.loadFinalizeBlockResponse(5)).toThrow('could not find results for height #5')
    expect(() => store.loadLastFinalizeBlockResponse(5)).toThrow('no last ABCI response has been persisted')
    expect(store.offlineStateSyncHeight()).toBe(0)
  })
})
