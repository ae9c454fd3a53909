import { createLane } from '@org/runtime'
import { type ConsensusParams, State, type ValidatorSet, validatorByAddress } from '@org/types'
import { encodeFinalizeBlock, type ResponseFinalizeBlock } from '@org/types/abci'
import { LRUCache } from 'lru-cache'
import { cached } from './cached.ts'
import { STORE_ERRORS, StoreError } from './errors.ts'
import { lastResponseRecord, loadLastResponse, loadResponse } from './finalize-responses.ts'
import { type KeyValueStore, type Op, put } from './kv/index.ts'
import { oldValidatorsOps, removeOldValidators, type ValidatorsOfHeight } from './old-validators.ts'
import { DEFAULT_STATE_STORE_OPTIONS, type StateStoreOptions } from './options.ts'
import { readMessage } from './records.ts'
import type { RotationTurns } from './rotated-sets.ts'
import { loadParams } from './state-infos.ts'
import * as keys from './state-keys.ts'
import { bootstrapOps, saveStateOps } from './state-ops.ts'
import { planStatePrune, type StatePruneRequest } from './state-pruning.ts'
import { createValidatorSets } from './validator-sets.ts'
import { decodeVarint, encodeVarint } from './varint.ts'

/**
 * Stores the state after the last block. For every height it stores the validators, the consensus parameters and the
 * application's response. Reads are synchronous, and throw `STORE_NOT_FOUND` for a missing entry. Writes run one after
 * the other, each as one synced batch.
 */
export interface StateStore {
  /** Returns the state after the last block; `undefined` if no state is stored. */
  readonly load: () => State | undefined
  readonly save: (state: State) => Promise<void>
  /**
   * Saves a state in a store that has no states of earlier heights, for example after state sync. Also saves the
   * validator sets of the last block's height and of the two heights after it.
   */
  readonly bootstrap: (state: State) => Promise<void>
  /**
   * Loads the validator set that signs the block of `height`. If the set has many validators, the call may block the
   * event loop for long: it may rotate the set over up to 99,999 heights. See `readValidators`.
   */
  readonly loadValidators: (height: number) => ValidatorSet
  /**
   * Does the same as `loadValidators`, but pauses a long rotation regularly. It is for requests from clients and peers,
   * which must not block the node. Returns the set if the rotation takes about a millisecond or less, and a promise if
   * it takes longer. Only one rotation with pauses runs at a time. The promise rejects with `STORE_BUSY` if too many
   * rotations wait. If the signal of `turns` aborts, the promise rejects with the reason of this signal.
   */
  readonly readValidators: (height: number, turns: RotationTurns) => ValidatorSet | Promise<ValidatorSet>
  /**
   * Loads the keys and powers of the validators that sign the block of `height`. The set is not rotated, so its
   * priorities may be those of an earlier height.
   */
  readonly loadSigners: (height: number) => ValidatorSet
  /**
   * Loads the power of the validator with this address at `height`; 0 if no validator has this address. The set is not
   * rotated.
   */
  readonly loadVotingPower: (height: number, address: Uint8Array) => bigint
  readonly loadConsensusParams: (height: number) => ConsensusParams
  readonly saveFinalizeBlockResponse: (height: number, response: ResponseFinalizeBlock) => Promise<void>
  /**
   * Loads the application's response for a height. Throws `STORE_NOT_PERSISTED` if the node is configured to discard
   * responses.
   */
  readonly loadFinalizeBlockResponse: (height: number) => ResponseFinalizeBlock
  /**
   * Returns the stored bytes of the application's response; `undefined` if there are none. Chains before v0.38 stored
   * the response in another form.
   */
  readonly loadFinalizeBlockBytes: (height: number) => Uint8Array | undefined
  /**
   * Returns true if the response for the height is stored. If the node is configured to discard responses, it returns
   * true for every height.
   */
  readonly hasFinalizeBlockResponse: (height: number) => boolean
  /**
   * Loads the latest response. It is stored even if the node is configured to discard responses. Throws an error if it
   * is not the response of `height`.
   */
  readonly loadLastFinalizeBlockResponse: (height: number) => ResponseFinalizeBlock
  /** Saves the validator sets of consecutive heights below a snapshot, the lowest height last. */
  readonly saveOldValidators: (sets: readonly ValidatorsOfHeight[]) => Promise<void>
  /**
   * Removes validator sets that `saveOldValidators` has saved, from the height `from` up to, but without, `to`. If the
   * record of `to` refers to the set of a lower height, it keeps the sets from this lower height on. Resolves with the
   * lowest height whose set is kept.
   */
  readonly removeOldValidators: (from: number, to: number) => Promise<number>
  readonly pruneStates: (from: number, to: number, evidenceThresholdHeight: number) => Promise<void>
  readonly setOfflineStateSyncHeight: (height: number) => Promise<void>
  /**
   * Returns the height of the state that the reference's command `bootstrap-state` (an offline state sync) stored; 0 if
   * there is none.
   */
  readonly offlineStateSyncHeight: () => number
  /** Returns the stored JSON of the genesis document; `undefined` if there is none. */
  readonly loadGenesisDoc: () => Uint8Array | undefined
  readonly saveGenesisDoc: (json: Uint8Array) => Promise<void>
}

/** Creates the store over an open database. */
export function createStateStore(options: Partial<StateStoreOptions>, { db }: { db: KeyValueStore }): StateStore {
  const { discardAbciResponses, cacheSize } = { ...DEFAULT_STATE_STORE_OPTIONS, ...options }
  const lane = createLane()
  const sets = createValidatorSets(db, cacheSize)
  const params = new LRUCache<number, ConsensusParams>({ max: cacheSize })

  const write = (ops: readonly Op[]): Promise<void> => lane(() => db.write(ops, { sync: true }))

  function clear(): void {
    sets.clear()
    params.clear()
  }

  /**
   * Clears all caches if they have an entry of one of `heights`. It is called when the records of these heights change.
   * All entries are removed, because the sets of other heights may have been made by rotation from the old sets of
   * `heights`.
   */
  function forget(...heights: readonly number[]): void {
    if (heights.some((height) => sets.isCached(height) || params.has(height))) clear()
  }

  async function saveState(state: State): Promise<void> {
    const { ops, next, lowestSet } = saveStateOps(state)
    sets.forgetFrom(lowestSet)
    forget(next, next + 1)
    // The events of the block are published while this write runs, and a subscriber may then request the parameters
    // of the next height. So these parameters are put into the cache before the write begins.
    params.set(next, state.consensusParams)
    await db.write(ops, { sync: true })
  }

  async function bootstrapState(state: State): Promise<void> {
    const { ops, next, lowestSet } = bootstrapOps(state)
    await db.write(ops, { sync: true })
    sets.forgetFrom(lowestSet)
    forget(next - 1, next, next + 1)
  }

  async function prune(request: StatePruneRequest): Promise<void> {
    for (const ops of planStatePrune(db, request)) await db.write(ops, { sync: true })
    clear()
  }

  return {
    load: () => readMessage(db, keys.STATE_KEY, State),
    save: (state) => lane(() => saveState(state)),
    bootstrap: (state) => lane(() => bootstrapState(state)),
    loadValidators: sets.load,
    readValidators: sets.loadInTurns,
    loadSigners: sets.loadSigners,
    loadVotingPower: (height, address) =>
      validatorByAddress(sets.loadSigners(height), address)?.validator.votingPower ?? 0n,
    loadConsensusParams: (height) => cached(params, height, () => loadParams(db, height)),
    saveFinalizeBlockResponse: (height, response) => {
      const bytes = encodeFinalizeBlock(response)
      const ops = [put(keys.LAST_RESPONSE_KEY, lastResponseRecord(height, bytes))]
      if (!discardAbciResponses) ops.push(put(keys.responseKey(height), bytes))
      return write(ops)
    },
    loadFinalizeBlockResponse: (height) => {
      if (discardAbciResponses) {
        throw new StoreError(STORE_ERRORS.notPersisted, 'node is not persisting finalize block responses')
      }
      return loadResponse(db, height)
    },
    loadFinalizeBlockBytes: (height) => (discardAbciResponses ? undefined : db.get(keys.responseKey(height))),
    hasFinalizeBlockResponse: (height) => discardAbciResponses || db.has(keys.responseKey(height)),
    loadLastFinalizeBlockResponse: (height) => loadLastResponse(db, height),
    saveOldValidators: (sets) =>
      lane(async () => {
        await db.write(oldValidatorsOps(sets), { sync: true })
        for (const { height } of sets) forget(height)
      }),
    removeOldValidators: (from, to) =>
      lane(async () => {
        const lowest = await removeOldValidators(db, from, to)
        if (lowest > from) clear()
        return lowest
      }),
    pruneStates: (from, to, evidenceThresholdHeight) => lane(() => prune({ from, to, evidenceThresholdHeight })),
    setOfflineStateSyncHeight: (height) => write([put(keys.OFFLINE_STATE_SYNC_HEIGHT_KEY, encodeVarint(height))]),
    offlineStateSyncHeight: () => {
      const bytes = db.get(keys.OFFLINE_STATE_SYNC_HEIGHT_KEY)
      return bytes === undefined || bytes.length === 0 ? 0 : decodeVarint(bytes)
    },
    loadGenesisDoc: () => db.get(keys.GENESIS_DOC_KEY),
    saveGenesisDoc: (json) => write([put(keys.GENESIS_DOC_KEY, json)]),
  }
}
