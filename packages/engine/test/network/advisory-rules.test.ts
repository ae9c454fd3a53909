import { createVirtualClock, noopLogger, noopMetrics } from '@org/runtime'
import {
  type CommitSig,
  type ConsensusParamsUpdate,
  defaultConsensusParams,
  hashCommit,
  medianTime,
  SignedMsgType,
  type State,
  type Vote,
  validateParamsUpdate,
} from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { beforeAll, expect, test } from 'vitest'
import { createEvidencePool, DEFAULT_EVIDENCE_OPTIONS } from '../../src/evidence/index.ts'
import { createSenderIds } from '../../src/mempool/gossip/sender-ids.ts'
import { createFloodMempool, DEFAULT_MEMPOOL_OPTIONS } from '../../src/mempool/index.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import { plainExecutor } from '../execution/plain-executor.ts'
import * as testChain from '../execution/test-chain.ts'
import { createScriptedApp } from '../mempool/scripted-app.ts'

/**
 * Published advisories that are tested by calls of a single rule, without a network. The table of all advisories is in
 * `docs/advisories.md`.
 */

const keys = testChain.makeKeys(4)
const stores = testChain.memoryStores()
let state: State
let commit: testChain.TestBlock['commit']

const executor = plainExecutor(stores)

beforeAll(async () => {
  state = testChain.genesisState(testChain.makeGenesis(keys))
  await stores.stateStore.save(state)
  for (let height = 1; height <= 3; height++) {
    const next = testChain.makeBlockOn(state, keys, height === 1 ? {} : { lastCommit: commit })
    await stores.blockStore.saveBlock({ block: next.block, parts: next.parts, seenCommit: next.commit })
    state = await executor.applyBlock({ state, ...next })
    commit = next.commit
  }
  await executor.durable()
})

/**
 * Validates the next block with the given signatures in its last commit, and with the block time that follows from
 * these signatures. Rejects if the chain cannot continue with this block.
 */
function follows(signatures: readonly CommitSig[]): Promise<void> {
  const { block } = testChain.makeBlockOn(state, keys, { lastCommit: commit })
  const lastCommit = { ...commit, signatures: [...signatures] }
  const time = medianTime(lastCommit, state.lastValidators)
  const header = { ...block.header, time, lastCommitHash: hashCommit(lastCommit) }
  return executor.validateBlock(state, { ...block, header, lastCommit })
}

const changed = (at: number, change: Partial<CommitSig>): readonly CommitSig[] =>
  commit.signatures.map((entry, index) => (index === at ? { ...entry, ...change } : entry))

test('error: CVE-2020-15091 (GHSA-6jqj-f58p-mrw3): refuses a commit with a signature for another block next to +2/3 for this one', async () => {
  await follows(commit.signatures)
  const [validator] = state.lastValidators.validators.slice(-1)
  const other = testChain.makeCommit(keys, {
    height: commit.height,
    blockId: { hash: new Uint8Array(32).fill(7), partSetHeader: { total: 1, hash: new Uint8Array(32).fill(7) } },
    validators: state.lastValidators.validators,
    time: commit.signatures[3]?.timestamp as bigint,
  })
  expect(validator?.address).toEqual(other.signatures[3]?.validatorAddress)
  const foreign = other.signatures[3] as CommitSig
  // Three of the four signatures have enough power, but the block is refused because one signature is invalid.
  await expect(follows(changed(3, { signature: foreign.signature, timestamp: foreign.timestamp }))).rejects.toThrow(
    'wrong signature',
  )
})

test('error: CSA-2026-001 Tachyon (GHSA-c32p-wcqj-j677): a signature under the address of another validator does not change the block time', async () => {
  // The signature does not cover the address, so a changed address leaves the signature valid. If the address were not
  // checked, the time of this signature would count with another validator's power.
  const address = commit.signatures[1]?.validatorAddress as Uint8Array
  await expect(follows(changed(0, { validatorAddress: address }))).rejects.toThrow(/address|validator/i)
  // A signature covers the timestamp in its entry of the commit. So an entry with a changed timestamp is refused.
  const late = (commit.signatures[3]?.timestamp as bigint) + 3_600_000_000_000n
  await expect(follows(changed(3, { timestamp: late }))).rejects.toThrow('wrong signature')
  expect(medianTime(commit, state.lastValidators)).toBe(commit.signatures[1]?.timestamp)
})

const precommit = (hash: number, power: number): Vote => {
  const validator = state.lastValidators.validators[power] as (typeof state.lastValidators.validators)[number]
  const bytes = new Uint8Array(32).fill(hash)
  return testChain.signVote(testChain.keyOf(keys, validator), {
    type: SignedMsgType.precommit,
    height: state.lastBlockHeight + 1,
    round: 0,
    blockId: { hash: bytes, partSetHeader: { total: 1, hash: bytes } },
    timestamp: 1_700_000_100_000_000_000n,
    validatorAddress: validator.address,
    validatorIndex: power,
    extension: new Uint8Array(0),
    extensionSignature: new Uint8Array(0),
  })
}

test('behavior: CVE-2021-21271 (GHSA-p658-8693-mhvg): evidence of two votes carries the time of their block, on every node', async () => {
  const [voteA, voteB] = [precommit(1, 0), precommit(2, 0)]
  const next = testChain.makeBlockOn(state, keys, { lastCommit: commit })
  const after: State = {
    ...state,
    lastBlockHeight: next.block.header.height,
    lastBlockTime: next.block.header.time,
    lastValidators: state.validators,
  }
  const made2 = await Promise.all(
    // Two nodes receive the same two votes, in opposite orders.
    [[voteA, voteB] as const, [voteB, voteA] as const].map(async ([first, second]) => {
      const pool = await createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, {
        db: createMemoryStore(),
        ...stores,
        state,
        logger: noopLogger,
      })
      pool.reportConflictingVotes(first, second)
      // The pool makes evidence from conflicting votes only when the block of their height is committed.
      expect(pool.size()).toBe(0)
      await pool.update(after, [])
      return pool.pendingEvidence(-1n).evidence
    }),
  )
  expect(made2[0]).toHaveLength(1)
  expect(made2[1]).toEqual(made2[0])
  const sum = made2[0]?.[0]?.sum
  expect(sum?.case === 'duplicateVoteEvidence' && sum.value.timestamp).toBe(next.block.header.time)
})

test('behavior: CVE-2023-34451 (GHSA-w24w-wp77-qffm): a transaction that the cache forgot is in the pool once, and is removed completely', async () => {
  const pool = createFloodMempool(
    { ...DEFAULT_MEMPOOL_OPTIONS, cacheSize: 1 },
    { app: createScriptedApp(), clock: createVirtualClock(), logger: noopLogger, metrics: noopMetrics },
  )
  for (let i = 0; i < 50; i++) {
    for (const tx of ['a', 'b']) await pool.checkTx(utf8ToBytes(tx)).catch(() => undefined)
  }
  expect([pool.size(), pool.sizeBytes(), pool.reapMaxTxs(-1).length]).toEqual([2, 2, 2])
  const release = await pool.lock()
  await pool.update({ height: 2, txs: [utf8ToBytes('a'), utf8ToBytes('b')], txResults: [] })
  release()
  expect([pool.size(), pool.sizeBytes(), pool.reapMaxTxs(-1).length]).toEqual([0, 0, 0])
})

test('behavior: CVE-2020-5303 (GHSA-v24h-pjjv-mcp6): the numbers of peers are free again after any number of peers left', () => {
  const ids = createSenderIds()
  for (let i = 0; i < 200_000; i++) {
    expect(ids.reserve(`peer ${i}`)).toBeGreaterThan(0)
    ids.release(`peer ${i}`)
    // A connection that ends before it becomes a peer has no peer number. `release` must then have no effect.
    ids.release(`nobody ${i}`)
  }
})

test('error: ASA-2024-001 (GHSA-qr8r-m495-7hc4): invalid heights of vote extensions are refused, valid ones are accepted', () => {
  const params = (height: number) => ({ ...defaultConsensusParams(), abci: { voteExtensionsEnableHeight: height } })
  const update = (height: number): ConsensusParamsUpdate => ({
    block: undefined,
    evidence: undefined,
    validator: undefined,
    version: undefined,
    abci: { voteExtensionsEnableHeight: height },
  })
  for (const [now, next, at] of [
    [0, 5, 5],
    [0, 4, 5],
    [3, 0, 5],
    [3, 9, 5],
    [0, -1, 5],
  ] as const) {
    expect(() => validateParamsUpdate(params(now), update(next), at), `${now} → ${next} at ${at}`).toThrow()
  }
  for (const [now, next, at] of [
    [0, 6, 5],
    [0, 0, 5],
    [3, 3, 5],
    [9, 0, 5],
    [9, 7, 5],
  ] as const) {
    expect(() => validateParamsUpdate(params(now), update(next), at), `${now} → ${next} at ${at}`).not.toThrow()
  }
})

test('behavior: ASA-2023-002 and ASA-2024-004 (GHSA-hq58-p9mv-338c, GHSA-555p-m4v6-cqxv): the defaults are those of the reference', () => {
  const { block, evidence } = defaultConsensusParams()
  expect([block.maxBytes, block.maxGas]).toEqual([22_020_096n, -1n])
  expect([evidence.maxAgeNumBlocks, evidence.maxAgeDuration, evidence.maxBytes]).toEqual([
    100_000n,
    172_800_000_000_000n,
    1_048_576n,
  ])
})
