import {
  AbciResponsesInfo,
  ConsensusParamsInfo,
  copyIncrementProposerPriority,
  LegacyAbciResponses,
  State,
  updateWithChangeSet,
  type ValidatorSet,
  ValidatorsInfo,
  validatorByAddress,
} from '@org/types'
import { ExecTxResult, ResponseFinalizeBlock } from '@org/types/abci'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  createMemoryStore,
  createStateStore,
  type KeyValueStore,
  put,
  STORE_ERRORS,
  type StateStore,
} from '../../src/store/index.ts'
import { VALIDATOR_CHECKPOINT_INTERVAL } from '../../src/store/state-infos.ts'
import { paramsKey, validatorsKey } from '../../src/store/state-keys.ts'
import { collect } from './compliance.ts'
import { dumpOf, printable, storeOf, text } from './dumps.ts'

const priorities = (set: ValidatorSet): bigint[] => set.validators.map(({ proposerPriority }) => proposerPriority)

describe('state store', () => {
  let genesis: State
  beforeAll(async () => {
    const db = await storeOf(dumpOf('kvstore-four/db-dump-node0.jsonl', 'state'))
    const recorded = createStateStore({}, { db })
    const state = recorded.load() as State
    const validators = recorded.loadValidators(1)
    genesis = {
      ...state,
      lastBlockHeight: 0,
      initialHeight: 1,
      validators,
      nextValidators: copyIncrementProposerPriority(validators, 1),
      lastValidators: { ...validators, validators: [] },
      lastHeightValidatorsChanged: 1,
      lastHeightConsensusParamsChanged: 1,
    }
  })

  /** Returns the state one block later, in which the power of a validator or the parameters have changed. */
  function next(state: State, change: { power?: bigint; maxBytes?: bigint } = {}): State {
    const height = state.lastBlockHeight + 1
    let nextValidators = state.nextValidators
    let lastHeightValidatorsChanged = state.lastHeightValidatorsChanged
    if (change.power !== undefined) {
      const [first] = nextValidators.validators
      nextValidators = updateWithChangeSet(nextValidators, [
        { ...(first as NonNullable<typeof first>), votingPower: change.power },
      ])
      lastHeightValidatorsChanged = height + 2
    }
    const { consensusParams } = state
    const params =
      change.maxBytes === undefined
        ? consensusParams
        : { ...consensusParams, block: { ...consensusParams.block, maxBytes: change.maxBytes } }
    return {
      ...state,
      lastBlockHeight: height,
      lastValidators: state.validators,
      validators: state.nextValidators,
      nextValidators: copyIncrementProposerPriority(nextValidators, 1),
      lastHeightValidatorsChanged,
      consensusParams: params,
      lastHeightConsensusParamsChanged:
        change.maxBytes === undefined ? state.lastHeightConsensusParamsChanged : height + 1,
    }
  }

  async function chain(heights: number): Promise<{ db: KeyValueStore; store: StateStore; states: State[] }> {
    const db = createMemoryStore()
    const store = createStateStore({}, { db })
    const states = [genesis]
    await store.save(genesis)
    for (let height = 1; height <= heights; height++) {
      const change = height === 5 ? { power: 7n } : height === 6 ? { maxBytes: 5000n } : {}
      states.push(next(states.at(-1) as State, change))
      await store.save(states.at(-1) as State)
      await store.saveFinalizeBlockResponse(height, ResponseFinalizeBlock.create({ appHash: text(`${height}`) }))
    }
    return { db, store, states }
  }

  const keysOf = async (db: KeyValueStore): Promise<string[]> => (await collect(db.keys())).map(printable)

  it('default: the saved state reads back equal', async () => {
    const { db, store, states } = await chain(3)
    expect(State.encode(store.load() as State)).toEqual(State.encode(states.at(-1) as State))
    expect(State.encode(createStateStore({}, { db }).load() as State)).toEqual(State.encode(states.at(-1) as State))
  })

  it('behavior: the next parameters and validators are readable while the state is written', async () => {
    const { db, states } = await chain(6)
    const store = createStateStore({}, { db: { ...db, write: () => new Promise(() => undefined) } })
    const last = states.at(-1) as State
    const params = { ...last.consensusParams, block: { ...last.consensusParams.block, maxBytes: 4321n } }
    const lastBlockHeight = last.lastBlockHeight + 1
    void store.save({ ...last, lastBlockHeight, consensusParams: params })
    await new Promise(setImmediate)
    expect(store.loadConsensusParams(lastBlockHeight + 1).block.maxBytes).toBe(4321n)
    expect(store.loadValidators(lastBlockHeight + 1).validators.length).toBe(last.nextValidators.validators.length)
  })

  it('default: each height has its validators and parameters', async () => {
    const { store, states } = await chain(12)
    for (const state of states.slice(1)) {
      const height = state.lastBlockHeight + 1
      expect(priorities(store.loadValidators(height))).toEqual(priorities(state.validators))
      expect(store.loadConsensusParams(height)).toEqual(state.consensusParams)
    }
    expect(store.loadValidators(7).validators.some(({ votingPower }) => votingPower === 7n)).toBe(true)
    for (const { address, votingPower } of store.loadValidators(7).validators) {
      expect(store.loadVotingPower(7, address)).toBe(votingPower)
    }
    expect(store.loadConsensusParams(6).block.maxBytes).not.toBe(5000n)
    expect(store.loadConsensusParams(7).block.maxBytes).toBe(5000n)
  })

  it('behavior: sets are stored whole only where they change', async () => {
    const { db } = await chain(12)
    const sizes = [2, 3, 6, 7, 8].map((height) => db.get(text(`validatorsKey:${height}`))?.length ?? 0)
    expect(sizes.map((size) => size > 10)).toEqual([false, false, false, true, false])
  })

  it('behavior: a set far from its change is read from the checkpoint before it', async () => {
    const at = VALIDATOR_CHECKPOINT_INTERVAL * 3
    const db = createMemoryStore()
    const store = createStateStore({}, { db })
    const set = genesis.validators
    const near: State = { ...genesis, lastBlockHeight: at - 2, nextValidators: set, lastHeightValidatorsChanged: 1 }
    await store.save(near)
    await store.save({ ...near, lastBlockHeight: at - 1, nextValidators: copyIncrementProposerPriority(set, 1) })
    expect(priorities(store.loadValidators(at))).toEqual(priorities(set))
    expect(priorities(store.loadValidators(at + 1))).not.toEqual([])
    expect(() => store.loadValidators(at - 1)).toThrow(expect.objectContaining({ code: STORE_ERRORS.notFound }))
  })

  it('default: a bootstrapped state has the sets around it', async () => {
    const { states } = await chain(8)
    const state = states[8] as State
    const store = createStateStore({}, { db: createMemoryStore() })
    await store.bootstrap(state)
    expect(priorities(store.loadValidators(8))).toEqual(priorities(state.lastValidators))
    expect(priorities(store.loadValidators(9))).toEqual(priorities(state.validators))
    expect(priorities(store.loadValidators(10))).toEqual(priorities(state.nextValidators))
    expect(store.load()?.lastBlockHeight).toBe(8)
  })

  it('default: pruning keeps the data to which later heights refer', async () => {
    const { db, store, states } = await chain(12)
    // This read puts a set into the cache. Pruning must remove the set from the cache as well.
    expect(store.loadValidators(9).validators.length).toBeGreaterThan(0)
    await store.pruneStates(1, 10, 10)
    const keys = await keysOf(db)
    expect(keys.filter((key) => key.startsWith('abciResponsesKey')).sort()).toEqual(
      [10, 11, 12].map((height) => `abciResponsesKey:${height}`).sort(),
    )
    expect(keys.filter((key) => key.startsWith('validatorsKey')).sort()).toEqual(
      [10, 11, 12, 13, 14, 7].map((height) => `validatorsKey:${height}`).sort(),
    )
    expect(keys.filter((key) => key.startsWith('consensusParamsKey')).sort()).toEqual(
      [10, 11, 12, 13, 7].map((height) => `consensusParamsKey:${height}`).sort(),
    )
    for (const state of states.slice(10)) {
      expect(priorities(store.loadValidators(state.lastBlockHeight + 1))).toEqual(priorities(state.validators))
      expect(store.loadConsensusParams(state.lastBlockHeight + 1)).toEqual(state.consensusParams)
    }
    expect(() => store.loadValidators(9)).toThrow('could not find validator set for height #9')
    expect(() => store.loadVotingPower(9, new Uint8Array(20))).toThrow('could not find validator set for height #9')
  })

  it('behavior: pruning keeps validators that evidence may need', async () => {
    const { store, states } = await chain(12)
    await store.pruneStates(1, 10, 4)
    expect(priorities(store.loadValidators(4))).toEqual(priorities((states[3] as State).validators))
    expect(() => store.loadValidators(3)).toThrow(expect.objectContaining({ code: STORE_ERRORS.notFound }))
  })

  it('behavior: pruning keeps the set to which the entries of evidence refer, also if a later whole set is kept', async () => {
    const db = createMemoryStore()
    const validatorSet = genesis.validators
    const whole = (height: number) =>
      put(validatorsKey(height), ValidatorsInfo.encode({ validatorSet, lastHeightChanged: 1 }))
    const bare = (height: number) =>
      put(validatorsKey(height), ValidatorsInfo.encode({ validatorSet: undefined, lastHeightChanged: 1 }))
    const [first, second] = [VALIDATOR_CHECKPOINT_INTERVAL, 2 * VALIDATOR_CHECKPOINT_INTERVAL]
    const params = put(
      paramsKey(second + 2),
      ConsensusParamsInfo.encode({ consensusParams: genesis.consensusParams, lastHeightChanged: second + 2 }),
    )
    const bareHeights = [second - 2, second - 1, second + 1, second + 2].map(bare)
    await db.write([whole(1), whole(first), whole(second), ...bareHeights, params], { sync: false })
    const store = createStateStore({}, { db })
    await store.pruneStates(1, second + 2, second - 1)
    expect(store.loadVotingPower(second - 1, (validatorSet.validators[0] as { address: Uint8Array }).address)).toBe(
      validatorSet.validators[0]?.votingPower,
    )
  })

  it('error: refuses to prune an invalid range', async () => {
    const { store } = await chain(3)
    await expect(store.pruneStates(0, 2, 2)).rejects.toMatchObject({ code: STORE_ERRORS.invalid })
    await expect(store.pruneStates(2, 2, 2)).rejects.toMatchObject({ code: STORE_ERRORS.invalid })
    await expect(store.pruneStates(2, 50, 50)).rejects.toMatchObject({ code: STORE_ERRORS.notFound })
  })

  it('behavior: responses of chains before v0.38 are read', async () => {
    const event = { type: 'x', attributes: [{ key: 'k', value: 'v', index: true }] }
    const legacy = LegacyAbciResponses.create({
      deliverTxs: [ExecTxResult.create({ code: 3 })],
      beginBlock: { events: [event] },
      endBlock: { validatorUpdates: [], consensusParamUpdates: undefined, events: [event] },
    })
    const db = await storeOf([
      [text('abciResponsesKey:5'), LegacyAbciResponses.encode(legacy)],
      [
        text('lastABCIResponseKey'),
        AbciResponsesInfo.encode({ legacyAbciResponses: legacy, height: 5, responseFinalizeBlock: undefined }),
      ],
    ])
    const store = createStateStore({}, { db })
    for (const response of [store.loadFinalizeBlockResponse(5), store.loadLastFinalizeBlockResponse(5)]) {
      expect(response.txResults).toMatchObject([{ code: 3 }])
      expect(response.events.map(({ attributes }) => attributes.at(-1)?.value)).toEqual(['BeginBlock', 'EndBlock'])
    }
  })

  it('behavior: a response without an app hash is not taken for an old one', async () => {
    const store = createStateStore({}, { db: createMemoryStore() })
    const response = ResponseFinalizeBlock.create({
      txResults: [ExecTxResult.create(), ExecTxResult.create({ code: 1 })],
    })
    await store.saveFinalizeBlockResponse(3, response)
    expect(store.loadFinalizeBlockResponse(3).txResults).toEqual(response.txResults)
  })

  it('error: reports values that cannot be decoded', async () => {
    const db = await storeOf(
      ['stateKey', 'validatorsKey:1', 'abciResponsesKey:1', 'lastABCIResponseKey'].map(
        (key) => [text(key), text('garbage')] as const,
      ),
    )
    const store = createStateStore({}, { db })
    const corrupt = expect.objectContaining({ code: STORE_ERRORS.corrupt })
    expect(() => store.load()).toThrow(corrupt)
    expect(() => store.loadValidators(1)).toThrow(corrupt)
    expect(() => store.loadFinalizeBlockResponse(1)).toThrow(corrupt)
    expect(() => store.loadLastFinalizeBlockResponse(1)).toThrow(corrupt)
  })

  it('default: reads the height of an offline state sync, and the genesis document', async () => {
    const store = createStateStore({}, { db: createMemoryStore() })
    expect([store.offlineStateSyncHeight(), store.loadGenesisDoc()]).toEqual([0, undefined])
    await store.setOfflineStateSyncHeight(1234567)
    await store.saveGenesisDoc(text('{}'))
    expect([store.offlineStateSyncHeight(), store.loadGenesisDoc()]).toEqual([1234567, text('{}')])
  })

  it('behavior: a height that is written again is read from the database again', async () => {
    const { db, store, states } = await chain(4)
    expect(store.loadConsensusParams(5).block.maxBytes).toBe(states[4]?.consensusParams.block.maxBytes)
    const changed = next(states[3] as State, { maxBytes: 77n })
    await store.save(changed)
    expect(store.loadConsensusParams(5).block.maxBytes).toBe(77n)
    await db.write([put(text('x'), text('y'))])
  })

  it('default: reads the power of an address at a height, without rotating the set', async () => {
    const { db, store, states } = await chain(12)
    const own = createStateStore({}, { db })
    const changed = states[4]?.nextValidators.validators[0]?.address as Uint8Array
    const powers = [4, 5, 6, 7, 8, 12].map((height) => own.loadVotingPower(height, changed))
    const whole = [4, 5, 6, 7, 8, 12].map((height) => validatorByAddress(store.loadValidators(height), changed))
    expect(powers).toEqual(whole.map((found) => found?.validator.votingPower))
    expect(new Set(powers).size).toBe(2)
    expect(own.loadVotingPower(8, new Uint8Array(20))).toBe(0n)
    expect(() => own.loadVotingPower(99, changed)).toThrow(expect.objectContaining({ code: STORE_ERRORS.notFound }))
  })

  it('behavior: a set that is written again is read again, also for heights that are rotated from it', async () => {
    const { store, states } = await chain(8)
    const power = (height: number) => store.loadValidators(height).validators.find((one) => one.votingPower === 9n)
    expect(power(9)).toBe(undefined)
    // A change of validators in block 5 takes effect at height 7, so the set of height 7 is written again.
    const six = next(next(states[4] as State, { power: 9n }))
    await store.save(next(states[4] as State, { power: 9n }))
    await store.save(six)
    expect(power(9)).not.toBe(undefined)
  })
})
