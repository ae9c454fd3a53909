import { copyIncrementProposerPriority, createValidatorSet, type ValidatorSet, ValidatorsInfo } from '@org/types'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  createMemoryStore,
  createStateStore,
  type KeyValueStore,
  put,
  STORE_ERRORS,
  type StateStore,
} from '../../src/store/index.ts'
import { validatorsKey } from '../../src/store/state-keys.ts'
import { dumpOf, storeOf } from './dumps.ts'

const VALIDATORS = 50
const STORED = 100_000

/** Returns an object that makes the rotation pause at each opportunity, and counts the pauses. */
function countedTurns(signal: AbortSignal = new AbortController().signal) {
  let rests = 0
  const pause = async (): Promise<void> => {
    rests++
  }
  return { isDue: () => true, pause, signal: () => signal, rests: () => rests }
}

describe('validator sets of heights far from a stored set', () => {
  let whole: ValidatorSet
  let db: KeyValueStore
  let store: StateStore

  beforeEach(async () => {
    const recorded = createStateStore({}, { db: await storeOf(dumpOf('kvstore-four/db-dump-node0.jsonl', 'state')) })
    const [one] = recorded.loadValidators(1).validators
    if (one === undefined) throw new Error('no validator is recorded')
    whole = createValidatorSet(
      Array.from({ length: VALIDATORS }, (_, i) => ({
        ...one,
        address: new Uint8Array(20).fill(i + 1),
        votingPower: BigInt(1 + i * i),
      })),
    )
    db = createMemoryStore()
    const info = (height: number) => {
      const validatorSet = height === STORED ? whole : undefined
      return put(validatorsKey(height), ValidatorsInfo.encode({ validatorSet, lastHeightChanged: 7 }))
    }
    await db.write([STORED, ...ASKED].map(info))
    // The cache of the state store has room for one set only, so a later read does not find the results of earlier
    // reads.
    store = createStateStore({ cacheSize: 1 }, { db })
  })

  const ASKED = [199_999, 199_998, 150_500, 150_001, 150_000, 100_001, 101_000, 199_000, 120_123, 199_999]
  const rotated = (height: number): ValidatorSet => copyIncrementProposerPriority(whole, height - STORED)

  it('behavior: equal those of one long rotation, in any order of requests', async () => {
    for (const height of ASKED) {
      expect(await store.readValidators(height, countedTurns()), `${height}`).toEqual(rotated(height))
      expect(store.loadValidators(height), `${height}`).toEqual(rotated(height))
    }
  })

  it('behavior: the first set is made in turns; then no set of these heights is far', async () => {
    const first = countedTurns()
    const set = store.readValidators(199_999, first)
    expect(set).toBeInstanceOf(Promise)
    await set
    // The work is the number of rotation steps, multiplied by the number of validators. The rotation pauses after each
    // piece of at most 16,384 units of this work.
    expect(first.rests()).toBeGreaterThan((99_999 * VALIDATORS) / 16_384)
    for (const height of ASKED) {
      const turns = countedTurns()
      expect(store.readValidators(height, turns)).not.toBeInstanceOf(Promise)
      expect(turns.rests()).toBe(0)
    }
  })

  it("behavior: one is computed at a time, and a call above the queue's limit is refused with a code", async () => {
    const gate = Promise.withResolvers<void>()
    const turns = { ...countedTurns(), pause: () => gate.promise }
    const calls = Array.from({ length: 33 }, () => store.readValidators(199_999, turns))
    await expect(store.readValidators(199_999, turns)).rejects.toMatchObject({ code: STORE_ERRORS.busy })
    gate.resolve()
    for (const call of calls) expect(await call).toEqual(rotated(199_999))
    expect(await store.readValidators(150_500, turns)).toEqual(rotated(150_500))
  })

  it('behavior: work without a waiting caller stops, and finished parts are not repeated', async () => {
    const abort = new AbortController()
    let left = 150
    const turns = {
      ...countedTurns(abort.signal),
      pause: async () => {
        if (--left === 0) abort.abort(new Error('the client is gone'))
      },
    }
    await expect(store.readValidators(199_999, turns)).rejects.toThrow('the client is gone')
    const again = countedTurns()
    expect(await store.readValidators(199_999, again)).toEqual(rotated(199_999))
    const whole = countedTurns()
    await createStateStore({}, { db }).readValidators(199_999, whole)
    expect(again.rests()).toBeLessThan(whole.rests() - 100)
  })

  it('behavior: keys and powers are returned without a rotation', () => {
    const powers = ({ validators }: ValidatorSet) =>
      validators.map(({ address, votingPower }) => [address, votingPower])
    expect(powers(store.loadSigners(199_999))).toEqual(powers(rotated(199_999)))
    expect(store.loadSigners(199_999).validators).toEqual(whole.validators)
  })

  it('error: refuses a height without a set', () => {
    expect(() => store.loadSigners(123_456)).toThrow('could not find validator set for height #123456')
    expect(() => store.readValidators(123_456, countedTurns())).toThrow('could not find validator set')
  })
})
