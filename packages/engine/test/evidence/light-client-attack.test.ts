import { noopLogger } from '@org/runtime'
import {
  BlockIdFlag,
  compareByPower,
  type Evidence,
  evidenceListToMisbehavior,
  type Header,
  hashHeader,
  type LightClientAttackEvidence,
  type State,
  validateEvidenceBasic,
} from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { publicKeyOf } from '@org/types/crypto'
import { beforeAll, expect, test } from 'vitest'
import { createEvidencePool, DEFAULT_EVIDENCE_OPTIONS } from '../../src/evidence/index.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import { plainExecutor } from '../execution/plain-executor.ts'
import * as testChain from '../execution/test-chain.ts'

const keys = testChain.makeKeys(4)
const stores = testChain.memoryStores()
let state: State
const TOP = 5

beforeAll(async () => {
  const executor = plainExecutor(stores)
  state = testChain.genesisState(testChain.makeGenesis(keys))
  await stores.stateStore.save(state)
  let last: Parameters<typeof testChain.makeBlockOn>[2]
  for (let height = 1; height <= TOP; height++) {
    const block = testChain.makeBlockOn(state, keys, last)
    await stores.blockStore.saveBlock({ block: block.block, parts: block.parts, seenCommit: block.commit })
    state = await executor.applyBlock({ state, ...block })
    last = { lastCommit: block.commit }
  }
  await executor.durable()
})

interface Attack {
  /** The fields in which the conflicting header differs from the chain's header. */
  readonly header: Partial<Header>
  readonly height?: number
  readonly commonHeight: number
  readonly round?: number
  /** The validators whose signatures are left out of the conflicting commit. */
  readonly absent?: readonly number[]
  readonly change?: Partial<LightClientAttackEvidence>
}

const own = (at: number): Header => stores.blockStore.loadBlockMeta(at)?.header as Header

function attack({ header, height = 3, commonHeight, round = 0, absent = [], change }: Attack): Evidence {
  const conflicting: Header = { ...own(Math.min(height, TOP)), height, ...header }
  const { validators } = state.validators
  const hash = hashHeader(conflicting)
  const commit = testChain.makeCommit(keys, {
    height,
    round,
    blockId: { hash, partSetHeader: { total: 1, hash } },
    validators,
    time: conflicting.time,
  })
  const empty = new Uint8Array(0)
  const nobody = {
    blockIdFlag: BlockIdFlag.absent,
    validatorAddress: empty,
    timestamp: -62135596800000000000n,
    signature: empty,
  }
  const signatures = commit.signatures.map((sig, index) => (absent.includes(index) ? nobody : sig))
  const value: LightClientAttackEvidence = {
    conflictingBlock: {
      signedHeader: { header: conflicting, commit: { ...commit, signatures } },
      validatorSet: state.validators,
    },
    commonHeight,
    byzantineValidators: [...validators].filter((_, index) => !absent.includes(index)).sort(compareByPower),
    totalVotingPower: 40n,
    timestamp: own(commonHeight).time,
    ...change,
  }
  return { sum: { case: 'lightClientAttackEvidence', value } }
}

const other = new Uint8Array(32).fill(1)
const pool = (changes: Partial<typeof stores> = {}) =>
  createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, {
    db: createMemoryStore(),
    ...stores,
    ...changes,
    state,
    logger: noopLogger,
  })

test('behavior: lunatic, equivocation and amnesia attacks are accepted', async () => {
  const attacks: Record<string, Attack> = {
    lunatic: { header: { appHash: other }, commonHeight: 1 },
    'lunatic of three': { header: { appHash: other }, commonHeight: 1, absent: [2] },
    equivocation: { header: { dataHash: other }, commonHeight: 3 },
    amnesia: { header: { dataHash: other }, commonHeight: 3, round: 1, change: { byzantineValidators: [] } },
  }
  for (const [name, given] of Object.entries(attacks)) {
    const evidence = attack(given)
    validateEvidenceBasic(evidence)
    const evidencePool = await pool()
    await evidencePool.addEvidence(evidence)
    expect(evidencePool.size(), name).toBe(1)
    await evidencePool.checkEvidence([evidence])
  }
  const misbehavior = evidenceListToMisbehavior([attack({ header: { appHash: other }, commonHeight: 1, absent: [2] })])
  expect(misbehavior.map(({ type, height }) => [type, height])).toEqual([
    [2, 1],
    [2, 1],
    [2, 1],
  ])
})

test('behavior: GHSA-f3w5-v9xx-rp8p (GHSA-jqfc-687g-59pw): a forward lunatic attack is held against the latest header', async () => {
  const { time } = own(TOP - 1)
  const forward: Attack = { header: { appHash: other, time: time - 1n }, height: TOP + 4, commonHeight: 1 }
  const evidencePool = await pool({ blockStore: { ...stores.blockStore, height: () => TOP - 1 } })
  await evidencePool.addEvidence(attack(forward))
  expect(evidencePool.size()).toBe(1)
  const later = attack({ ...forward, header: { appHash: other, time: time + 1n } })
  await expect(evidencePool.addEvidence(later)).rejects.toThrow('is before conflicting block time')
})

test('behavior: as with the reference, a latest header whose commit is not in a block yet cannot be held against it', async () => {
  const evidencePool = await pool()
  const forward = attack({ header: { appHash: other, time: 0n }, height: TOP + 4, commonHeight: 1 })
  await expect(evidencePool.addEvidence(forward)).rejects.toThrow(`don't have commit at height #${TOP}`)
})

test('error: refuses invalid attacks', async () => {
  const [first] = state.validators.validators
  if (first === undefined) throw new Error('four validators')
  const byAddress = [...state.validators.validators].sort(compareByPower)
  const swapped = byAddress.map((validator, index) =>
    index === 0 ? { ...validator, pubKey: publicKeyOf(testChain.makeKeys(9)[8] as (typeof keys)[number]) } : validator,
  )
  const hash = bytesToHex(hashHeader(stores.blockStore.loadBlockMeta(3)?.header as Header))
  const cases: readonly (readonly [Attack, string])[] = [
    [{ header: {}, commonHeight: 3 }, `trusted header hash matches the evidence's conflicting header hash: ${hash}`],
    [
      { header: { appHash: other }, commonHeight: 3 },
      'common height is the same as conflicting block height so expected the conflicting block to be correctly derived',
    ],
    [
      { header: { appHash: other }, commonHeight: 1, absent: [0, 1] },
      'invalid commit from conflicting block: invalid commit -- insufficient voting power: got 20, needed more than 26',
    ],
    [
      { header: { appHash: other }, commonHeight: 1, absent: [0, 1, 2] },
      'skipping verification of conflicting block failed: invalid commit -- insufficient voting power: got 10, needed more than 13',
    ],
    [
      { header: { appHash: other }, commonHeight: 1, change: { totalVotingPower: 41n } },
      'total voting power from the evidence and our validator set does not match (41 != 40)',
    ],
    [
      { header: { appHash: other }, commonHeight: 1, change: { byzantineValidators: [] } },
      'expected 4 byzantine validators from evidence but got 0',
    ],
    [
      { header: { dataHash: other }, commonHeight: 3, round: 1 },
      'expected nil validators from an amnesia light client attack but got 4',
    ],
    [
      { header: { appHash: other }, commonHeight: 1, change: { byzantineValidators: byAddress.toReversed() } },
      'evidence contained an unexpected byzantine validator address; expected:',
    ],
    [
      {
        header: { appHash: other },
        commonHeight: 1,
        change: { byzantineValidators: byAddress.map((validator) => ({ ...validator, votingPower: 9n })) },
      },
      'evidence contained unexpected byzantine validator power; expected 10, got 9',
    ],
    [
      { header: { appHash: other }, commonHeight: 1, change: { byzantineValidators: swapped } },
      'that does not match pubkey address',
    ],
  ]
  for (const [given, text] of cases) {
    const evidencePool = await pool()
    await expect(evidencePool.addEvidence(attack(given)), text).rejects.toThrow(text)
  }
})
