import { recordingJson, recordingLines } from '@org/golden'
import { noopLogger } from '@org/runtime'
import {
  Evidence,
  evidenceHeight,
  evidenceListToMisbehavior,
  hashEvidenceItem,
  type State,
  type Vote,
  validateEvidenceBasic,
} from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import type { Json } from '@org/types/schema'
import { beforeAll, expect, test } from 'vitest'
import { createEvidencePool, DEFAULT_EVIDENCE_OPTIONS, type EvidencePool } from '../../src/evidence/index.ts'
import { POOLED_SIGNATURES } from '../../src/signatures/index.ts'
import { createMemoryStore, type KeyValueStore } from '../../src/store/index.ts'
import { contents, loadRecordedChain, type RecordedChain } from '../execution/recorded-chain.ts'

let chain: RecordedChain
let state: State
let good: Evidence

interface Exchange {
  readonly id: string
  readonly response: { readonly body: string }
}

beforeAll(async () => {
  chain = await loadRecordedChain('kvstore-four', 'db-dump-node0.jsonl')
  state = chain.stateStore.load() as State
  const found = Array.from({ length: chain.blockStore.height() }, (_, index) => chain.block(index + 1).block)
    .flatMap(({ evidence }) => evidence.evidence)
    .at(0)
  good = found as Evidence
})

function open(db: KeyValueStore = createMemoryStore(), from: State = state): Promise<EvidencePool> {
  const { stateStore, blockStore } = chain
  return createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, { db, stateStore, blockStore, state: from, logger: noopLogger })
}

const next = (from: State, changes: Partial<State> = {}): State => ({
  ...from,
  lastBlockHeight: from.lastBlockHeight + 1,
  lastBlockTime: from.lastBlockTime + 1_000_000_000n,
  ...changes,
})

const votes = (): readonly [Vote, Vote] => {
  if (good.sum?.case !== 'duplicateVoteEvidence') throw new Error('recorded evidence is of two votes')
  return [good.sum.value.voteA as Vote, good.sum.value.voteB as Vote]
}

test('golden: bad evidence is refused with the recorded texts', async () => {
  const bad = recordingJson<Record<string, Json>>('kvstore-four/evidence-bad.json')
  const answers = recordingLines<Exchange>('kvstore-four/live.jsonl')
    .concat(recordingLines<Exchange>('kvstore-four/drive.jsonl'))
    .concat(recordingLines<Exchange>('kvstore-four/answers.jsonl'))
  const pool = await open()
  let compared = 0
  for (const [name, json] of Object.entries(bad)) {
    const exchange = answers.find(({ id }) => id === `network/post/broadcast_evidence/${name}`)
    if (exchange === undefined) continue
    const recorded = (JSON.parse(exchange.response.body) as { error: { data: string } }).error.data
    const evidence = Evidence.fromJson(json)
    const attempt = async (): Promise<void> => {
      try {
        validateEvidenceBasic(evidence)
      } catch (error) {
        throw new Error(`evidence.ValidateBasic failed: ${(error as Error).message}`)
      }
      await pool.addEvidence(evidence).catch((error: Error) => {
        throw new Error(`failed to add evidence: ${error.message}`)
      })
    }
    await expect(attempt(), name).rejects.toThrow(new Error(recorded))
    compared++
  }
  expect(compared).toBeGreaterThan(5)
  expect(pool.size()).toBe(0)
})

test('default: good evidence becomes pending, is sent to peers and put into blocks', async () => {
  const db = createMemoryStore()
  const pool = await open(db)
  const reported: Evidence[] = []
  pool.onEvidence((evidence) => reported.push(evidence))
  await pool.addEvidence(good)
  await pool.addEvidence(good)
  const size = Evidence.encode(good).length + 3
  expect(pool.pendingEvidence(-1n)).toEqual({ evidence: [good], size })
  expect(pool.pendingEvidence(BigInt(size))).toEqual({ evidence: [good], size })
  expect(pool.pendingEvidence(BigInt(size - 1))).toEqual({ evidence: [], size: 0 })
  expect([reported.length, [...pool.gossip()].length, pool.size()]).toEqual([1, 1, 1])
  const keys = [...(await contents(db)).keys()].map((key) => Buffer.from(key, 'hex').toString())
  expect(keys).toEqual([`\x01000000000000000D/${bytesToHex(hashEvidenceItem(good))}`])
  expect(evidenceListToMisbehavior([good])).toMatchObject([{ height: 13, type: 1 }])
})

test('behavior: pending evidence stays pending after a restart, and committed evidence is refused', async () => {
  const db = createMemoryStore()
  const first = await open(db)
  await first.addEvidence(good)
  const second = await open(db)
  expect([second.size(), [...second.gossip()].length]).toEqual([1, 1])
  await second.update(next(state), [good])
  expect([second.size(), [...second.gossip()].length]).toEqual([0, 0])
  await second.addEvidence(good)
  expect(second.size()).toBe(0)
  await expect(second.checkEvidence([good])).rejects.toThrow(
    /^Invalid evidence: evidence was already committed. Evidence: DuplicateVoteEvidence\{VoteA: Vote\{3:D1E6B98C5605 13/,
  )
  expect(Object.values(Object.fromEntries(await contents(db)))).toEqual(['080D'])
})

test('behavior: the check of a block verifies new evidence and refuses duplicates', async () => {
  const pool = await open()
  await pool.checkEvidence([good])
  expect([pool.size(), [...pool.gossip()].length]).toEqual([1, 0])
  await expect(pool.checkEvidence([good, good])).rejects.toThrow('Invalid evidence: duplicate evidence.')
})

test('behavior: Mulberry (2021), its first fault: votes of consensus become evidence once their height is over, not before', async () => {
  const [voteA, voteB] = votes()
  const at = { ...state, lastBlockHeight: 12 }
  const pool = await open(createMemoryStore(), at)
  pool.reportConflictingVotes(voteB, voteA)
  pool.reportConflictingVotes(voteA, voteB)
  expect(pool.size()).toBe(0)
  const { header } = chain.block(13).block
  const lastValidators = chain.stateStore.loadValidators(13)
  await pool.update({ ...at, lastBlockHeight: 13, lastBlockTime: header.time, lastValidators }, [])
  expect(pool.pendingEvidence(-1n).evidence).toEqual([good])
  expect([...pool.gossip()]).toEqual([good])
})

test('behavior: evidence becomes available to peers only after it is stored', async () => {
  const [voteA, voteB] = votes()
  const db = createMemoryStore()
  const order: string[] = []
  const write: KeyValueStore['write'] = async (ops, options) => {
    await db.write(ops, options)
    order.push(options?.sync === true ? 'stored durably' : 'stored')
  }
  const listen = async (): Promise<EvidencePool> => {
    const pool = await open({ ...db, write })
    pool.onEvidence(() => order.push('available'))
    return pool
  }
  await (await listen()).addEvidence(good)
  expect(order.splice(0)).toEqual(['stored', 'available'])
  await db.write([...(await contents(db)).keys()].map((key) => ({ type: 'del', key: Buffer.from(key, 'hex') })))
  const pool = await listen()
  pool.reportConflictingVotes(voteA, voteB)
  await pool.update(next(state), [])
  expect(order).toEqual(['stored durably', 'available'])
})

test('behavior: votes of an earlier height take its time and validators from the stores', async () => {
  const [voteA, voteB] = votes()
  const pool = await open()
  pool.reportConflictingVotes(voteB, voteA)
  await pool.update(next(state), [])
  expect(pool.pendingEvidence(-1n).evidence).toEqual([good])
})

test('behavior: votes of a future height, or of unknown validators, are dropped', async () => {
  const [voteA, voteB] = votes()
  const pool = await open()
  const height = state.lastBlockHeight + 9
  pool.reportConflictingVotes({ ...voteA, height }, { ...voteB, height })
  pool.reportConflictingVotes({ ...voteA, validatorAddress: new Uint8Array(20) }, voteB)
  await pool.update(next(state), [])
  expect(pool.size()).toBe(0)
})

test('behavior: evidence that is expired by blocks and by time is removed', async () => {
  const db = createMemoryStore()
  const pool = await open(db)
  await pool.addEvidence(good)
  const { evidence: params } = state.consensusParams
  const late = { lastBlockHeight: 14 + Number(params.maxAgeNumBlocks) }
  await pool.update(next(state, late), [])
  expect(pool.size()).toBe(1)
  const tooLate = {
    lastBlockHeight: late.lastBlockHeight + 1,
    lastBlockTime: state.lastBlockTime + params.maxAgeDuration,
  }
  await pool.update(next(state, tooLate), [])
  expect([pool.size(), (await contents(db)).size]).toEqual([0, 0])
  const again = await open(createMemoryStore(), next(state, tooLate))
  await expect(again.addEvidence(good)).rejects.toThrow(/is too old; min height is 15 and evidence can not be older/)
})

test('behavior: all nodes judge a block with expired evidence alike, also those in which the evidence was pending', async () => {
  const [voteA] = votes()
  const { stateStore, blockStore } = chain
  const signatures = { ...POOLED_SIGNATURES, verify: () => true }
  const modules = { stateStore, blockStore, state, signatures, logger: noopLogger }
  const openPool = () => createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, { ...modules, db: createMemoryStore() })
  // A faulty validator sends old evidence at the last height at which the evidence is valid, and only the pool `having`
  // adds it before the next block. Earlier, younger evidence was pending in both pools, and a block contained the
  // younger evidence.
  const [having, lacking] = [await openPool(), await openPool()]
  const timestamp = chain.block(voteA.height - 1).block.header.time
  const older = forged(1, { height: voteA.height - 1 })
  if (older.sum?.case !== 'duplicateVoteEvidence') throw new Error('the evidence is of two votes')
  const old: Evidence = { ...older, sum: { ...older.sum, value: { ...older.sum.value, timestamp } } }
  const { maxAgeNumBlocks, maxAgeDuration } = state.consensusParams.evidence
  const last = voteA.height - 1 + Number(maxAgeNumBlocks)
  const states = [
    next(state),
    next(next(state)),
    next(state, { lastBlockHeight: last, lastBlockTime: state.lastBlockTime + maxAgeDuration }),
    next(state, { lastBlockHeight: last + 1, lastBlockTime: state.lastBlockTime + maxAgeDuration + 1n }),
  ] as const
  for (const pool of [having, lacking]) {
    await pool.addEvidence(good)
    await pool.update(states[0], [])
    await pool.update(states[1], [good])
    await pool.update(states[2], [])
  }
  await having.addEvidence(old)
  for (const pool of [having, lacking]) {
    await pool.update(states[3], [])
    expect(pool.pendingEvidence(-1n).evidence).toEqual([])
    await expect(pool.checkEvidence([old])).rejects.toMatchObject({ code: 'EVIDENCE_INVALID' })
    // If the evidence is pending in a node of the reference, the node votes for a block with this evidence. If these
    // nodes have more than two thirds of the power, the chain continues with the block.
    await pool.checkEvidence([old], { isAgreed: true })
    await expect(pool.checkEvidence([old, old], { isAgreed: true })).rejects.toMatchObject({
      code: 'EVIDENCE_DUPLICATE',
    })
    expect(pool.size()).toBe(0)
  }
})

test('behavior: a block with +2/3 votes may contain expired evidence about a height whose header this node removed', async () => {
  const [voteA] = votes()
  const { stateStore, blockStore } = chain
  const pruned = {
    ...blockStore,
    backfilled: blockStore.backfilled,
    height: blockStore.height,
    loadBlockCommit: blockStore.loadBlockCommit,
    loadBlockMeta: (height: number) => (height <= voteA.height ? undefined : blockStore.loadBlockMeta(height)),
  }
  const { maxAgeNumBlocks, maxAgeDuration } = state.consensusParams.evidence
  const late = next(state, {
    lastBlockHeight: voteA.height + Number(maxAgeNumBlocks) + 1,
    lastBlockTime: state.lastBlockTime + maxAgeDuration + 1n,
  })
  const openAt = (from: State) =>
    createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, {
      ...{ db: createMemoryStore(), stateStore, state: from, logger: noopLogger },
      blockStore: pruned,
    })
  const pool = await openAt(late)
  await pool.checkEvidence([good], { isAgreed: true })
  await expect(pool.checkEvidence([good])).rejects.toThrow("don't have header #13")
  await pool.update(next(late), [good])
  await expect(pool.checkEvidence([good], { isAgreed: true })).rejects.toMatchObject({ code: 'EVIDENCE_COMMITTED' })
  // Evidence that has not expired needs the header, also in a block with +2/3 votes.
  const fresh = await openAt(state)
  await expect(fresh.checkEvidence([good], { isAgreed: true })).rejects.toThrow("don't have header #13")
})

test('error: refuses a state that is not later', async () => {
  const pool = await open()
  await expect(pool.update(state, [])).rejects.toMatchObject({ code: 'EVIDENCE_POOL_HEIGHT' })
})

test('error: stored evidence that cannot be read names its key', async () => {
  const db = createMemoryStore()
  await db.write([{ type: 'put', key: new Uint8Array([1, 65]), value: new Uint8Array([255, 255]) }])
  await expect(open(db)).rejects.toMatchObject({ code: 'EVIDENCE_STORED', data: { key: '\x01A' } })
})

test('behavior: too many reported votes are dropped', async () => {
  const [voteA, voteB] = votes()
  const { stateStore, blockStore } = chain
  const modules = { db: createMemoryStore(), stateStore, blockStore, state, logger: noopLogger }
  const pool = await createEvidencePool({ ...DEFAULT_EVIDENCE_OPTIONS, maxBufferedVotes: 0 }, modules)
  pool.reportConflictingVotes(voteA, voteB)
  await pool.update(next(state), [])
  expect(pool.size()).toBe(0)
})

/** Returns evidence about other blocks than those of the recorded evidence, with false signatures. */
function forged(index: number, changes: Partial<Vote> = {}, validatorPower?: bigint): Evidence {
  if (good.sum?.case !== 'duplicateVoteEvidence') throw new Error('recorded evidence is of two votes')
  const [voteA, voteB] = votes()
  const hash = new Uint8Array(32)
  new DataView(hash.buffer).setUint32(0, index)
  const value = {
    ...good.sum.value,
    voteA: { ...voteA, ...changes },
    voteB: { ...voteB, ...changes, blockId: { ...voteB.blockId, hash } },
    ...(validatorPower !== undefined && { validatorPower }),
  }
  return { ...good, sum: { case: 'duplicateVoteEvidence', value } }
}

test('behavior: one validator that signs very many votes gets a limited part of the pool, and others have room', async () => {
  const [voteA] = votes()
  const { stateStore, blockStore } = chain
  const db = createMemoryStore()
  const signatures = { ...POOLED_SIGNATURES, verify: () => true }
  const modules = { db, stateStore, blockStore, state, signatures, logger: noopLogger }
  const limits = { ...DEFAULT_EVIDENCE_OPTIONS, maxPendingPerValidator: 3 }
  const pool = await createEvidencePool(limits, modules)
  for (let i = 0; i < 3; i++) await pool.addEvidence(forged(i))
  await expect(pool.addEvidence(forged(3))).rejects.toMatchObject({ code: 'EVIDENCE_POOL_FULL' })
  await pool.checkEvidence([forged(4)])
  const other = chain.stateStore
    .loadValidators(voteA.height)
    .validators.find(({ address }) => bytesToHex(address) !== bytesToHex(voteA.validatorAddress))
  await pool.addEvidence(forged(5, { validatorAddress: other?.address as Uint8Array }, other?.votingPower as bigint))
  expect([pool.size(), (await contents(db)).size]).toEqual([4, 4])

  for (let i = 10; i < 20; i++) {
    const signature = new Uint8Array(64).fill(i)
    pool.reportConflictingVotes(voteA, { ...votes()[1], signature, round: i })
  }
  expect(pool.sizes().reported).toBe(3)
  await pool.update(next(state), [forged(0), forged(1)])
  // Before this block, the pool had the maximum of three pieces of evidence about the validator, and three reports
  // about it. The block contained two of the pieces. So the pool has room for the evidence from two of the reports.
  expect([pool.size(), pool.sizes().reported]).toEqual([4, 0])
  await pool.update(next(next(state)), [forged(2)])
  await pool.addEvidence(forged(6))
  await expect(pool.addEvidence(forged(7))).rejects.toMatchObject({ code: 'EVIDENCE_POOL_FULL' })

  const small = await createEvidencePool({ ...limits, maxPendingBytes: 1 }, { ...modules, db: createMemoryStore() })
  await small.addEvidence(forged(0))
  await expect(small.addEvidence(forged(1))).rejects.toMatchObject({ code: 'EVIDENCE_POOL_FULL' })
})

test('limit: evidence about one validator takes a limited part of the bytes of the pool', async () => {
  const [voteA] = votes()
  const { stateStore, blockStore } = chain
  const signatures = { ...POOLED_SIGNATURES, verify: () => true }
  const modules = { db: createMemoryStore(), stateStore, blockStore, state, signatures, logger: noopLogger }
  const pool = await createEvidencePool({ ...DEFAULT_EVIDENCE_OPTIONS, maxPendingBytes: 80_000 }, modules)
  // Anyone can add an extension to the votes of a pair, because their signatures do not cover it.
  const extension = new Uint8Array(6000)
  await pool.addEvidence(forged(0, { extension }))
  await expect(pool.addEvidence(forged(1, { extension }))).rejects.toMatchObject({ code: 'EVIDENCE_POOL_FULL' })
  const other = chain.stateStore
    .loadValidators(voteA.height)
    .validators.find(({ address }) => bytesToHex(address) !== bytesToHex(voteA.validatorAddress))
  await pool.addEvidence(forged(2, { validatorAddress: other?.address as Uint8Array }, other?.votingPower as bigint))
  await pool.update(next(state), [forged(0, { extension })])
  await pool.addEvidence(forged(1, { extension }))
  expect(pool.size()).toBe(2)
})

test('behavior: many double signs of a validator at one height do not hide its double sign at another height', async () => {
  const { stateStore, blockStore } = chain
  const at = { ...state, lastBlockHeight: 14 }
  const signatures = { ...POOLED_SIGNATURES, verify: () => true }
  const modules = { db: createMemoryStore(), stateStore, blockStore, state: at, signatures, logger: noopLogger }
  const limits = { ...DEFAULT_EVIDENCE_OPTIONS, maxPendingPerValidator: 2 }
  const pool = await createEvidencePool(limits, modules)
  const [voteA, voteB] = votes()
  const report = (height: number, index: number): void => {
    const signature = new Uint8Array(64).fill(index)
    const hash = new Uint8Array(32).fill(index)
    const vote = { ...voteB, height, signature, blockId: { ...voteB.blockId, hash } }
    pool.reportConflictingVotes({ ...voteA, height }, vote)
  }
  for (let i = 1; i <= 3; i++) report(13, i)
  await pool.update(next(at), [])
  const heights = (): readonly number[] => pool.pendingEvidence(-1n).evidence.map(evidenceHeight)
  expect(heights()).toEqual([13, 13])
  // A peer sends the same two votes again and again.
  for (let i = 0; i < 9; i++) report(13, 4)
  for (let i = 5; i < 9; i++) report(13, i)
  for (let i = 9; i < 12; i++) report(14, i)
  await pool.update(next(next(at)), [])
  expect(heights()).toEqual([13, 13, 14])
})

test('behavior: a pair of votes that is reported often leaves room for other pairs', async () => {
  const [voteA, voteB] = votes()
  const { stateStore, blockStore } = chain
  const modules = { db: createMemoryStore(), stateStore, blockStore, state, logger: noopLogger }
  const pool = await createEvidencePool({ ...DEFAULT_EVIDENCE_OPTIONS, maxPendingPerValidator: 2 }, modules)
  for (let i = 0; i < 5; i++) pool.reportConflictingVotes(voteA, voteB)
  expect(pool.sizes().reported).toBe(1)
  const hash = new Uint8Array(32).fill(7)
  pool.reportConflictingVotes(voteA, { ...voteB, signature: hash, blockId: { ...voteB.blockId, hash } })
  await pool.update(next(state), [])
  expect(pool.size()).toBe(2)
})

test('behavior: evidence that no block can contain does not keep later evidence out of blocks', async () => {
  const { stateStore, blockStore } = chain
  const signatures = { ...POOLED_SIGNATURES, verify: () => true }
  const modules = { db: createMemoryStore(), stateStore, blockStore, state, signatures, logger: noopLogger }
  const pool = await createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, modules)
  for (const [height, extension] of [
    [11, new Uint8Array(5000)],
    [12, new Uint8Array(0)],
    [13, new Uint8Array(0)],
  ] as const) {
    const evidence = forged(height, { height, extension })
    const value = { ...(evidence.sum?.value as object), timestamp: chain.block(height).block.header.time }
    await pool.addEvidence({ ...evidence, sum: { case: 'duplicateVoteEvidence', value } } as Evidence)
  }
  const upTo = (maxBytes: bigint): readonly number[] => pool.pendingEvidence(maxBytes).evidence.map(evidenceHeight)
  expect(upTo(4000n)).toEqual([12, 13])
  expect(upTo(-1n)).toEqual([11, 12, 13])
})

test('behavior: evidence of votes with long extensions is made without them, so that blocks and messages can contain it', async () => {
  const [voteA, voteB] = votes()
  const extension = new Uint8Array(600_000)
  const extensionSignature = new Uint8Array(64)
  const sizes = async (maxBytes: bigint, extension: Uint8Array): Promise<readonly number[]> => {
    const pool = await open()
    const extended = { extension, extensionSignature }
    pool.reportConflictingVotes({ ...voteA, ...extended }, { ...voteB, ...extended })
    const { consensusParams } = state
    const evidence = { ...consensusParams.evidence, maxBytes }
    await pool.update(next(state, { consensusParams: { ...consensusParams, evidence } }), [])
    return pool.pendingEvidence(-1n).evidence.map((item) => Evidence.encode(item).length)
  }
  const small = Evidence.encode(good).length
  expect(await sizes(1_048_576n, extension)).toEqual([small])
  expect(await sizes(50_000n, extension.subarray(0, 30_000))).toEqual([small])
  const [whole] = await sizes(1_048_576n, extension.subarray(0, 30_000))
  expect(whole).toBeGreaterThan(60_000)
})

test('behavior: evidence of a peer that no block can contain becomes evidence without extensions', async () => {
  const { consensusParams } = state
  const evidence = { ...consensusParams.evidence, maxBytes: 50_000n }
  const pool = await open(undefined, { ...state, consensusParams: { ...consensusParams, evidence } })
  // Anyone can add any extension to the votes of a pair. Five such copies would take all the room of their validator.
  for (let i = 0; i < 5; i++) {
    const [voteA, voteB] = votes()
    const extended = { ...voteA, extension: new Uint8Array(1_000_000).fill(i) }
    const value = { ...(good.sum?.value as object), voteA: extended, voteB }
    await pool.addEvidence({ ...good, sum: { case: 'duplicateVoteEvidence', value } } as Evidence)
  }
  await pool.addEvidence(good)
  expect(pool.pendingEvidence(50_000n).evidence).toEqual([good])
  expect(pool.size()).toBe(1)
})

test('behavior: extension signatures stay in evidence if the votes have no extensions', async () => {
  const [voteA, voteB] = votes()
  const { consensusParams } = state
  const pool = await open()
  const extensionSignature = new Uint8Array(64).fill(1)
  pool.reportConflictingVotes({ ...voteA, extensionSignature }, { ...voteB, extensionSignature })
  const evidence = { ...consensusParams.evidence, maxBytes: 2000n }
  await pool.update(next(state, { consensusParams: { ...consensusParams, evidence } }), [])
  // Other nodes make the same evidence, so that no two blocks contain evidence of the same votes.
  expect(pool.pendingEvidence(2000n).evidence[0]?.sum?.value).toMatchObject({ voteA: { extensionSignature } })
})

test('limit: the extensions of the pairs that wait for their height are bounded', async () => {
  const [voteA, voteB] = votes()
  const pool = await open()
  for (let i = 0; i < 100; i++) {
    const signature = new Uint8Array(64).fill(i)
    const blockId = { ...voteB.blockId, hash: new Uint8Array(32).fill(i) }
    pool.reportConflictingVotes(voteA, { ...voteB, signature, blockId, extension: new Uint8Array(500_000) })
  }
  // The extensions of five votes have more than 2 MiB.
  expect(pool.sizes().reported).toBe(5)
})

test('behavior: evidence that arrives in any order is put into blocks by height, and expires by height', async () => {
  const { stateStore, blockStore } = chain
  const signatures = { ...POOLED_SIGNATURES, verify: () => true }
  const modules = { db: createMemoryStore(), stateStore, blockStore, state, signatures, logger: noopLogger }
  const pool = await createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, modules)
  if (good.sum?.case !== 'duplicateVoteEvidence') throw new Error('recorded evidence is of two votes')
  const heights = [13, 11, 14, 12]
  for (const height of heights) {
    const evidence = forged(height, { height })
    const timestamp = chain.block(height).block.header.time
    const value = { ...(evidence.sum?.value as object), timestamp }
    await pool.addEvidence({ ...evidence, sum: { case: 'duplicateVoteEvidence', value } } as Evidence)
  }
  const pending = (): readonly number[] => pool.pendingEvidence(-1n).evidence.map(evidenceHeight)
  expect(pending()).toEqual([11, 12, 13, 14])
  const late = {
    lastBlockHeight: 13 + Number(state.consensusParams.evidence.maxAgeNumBlocks),
    lastBlockTime: state.lastBlockTime + state.consensusParams.evidence.maxAgeDuration,
  }
  await pool.update(next(state, late), [])
  expect([pending(), [...pool.gossip()].length]).toEqual([[13, 14], 2])
})

test('behavior: evidence that a peer sends while its block is being recorded does not become pending', async () => {
  const db = createMemoryStore()
  const gate = Promise.withResolvers<void>()
  const slow: KeyValueStore = {
    ...db,
    write: async (ops, options) => {
      if (options?.sync === true) await gate.promise
      return db.write(ops, options)
    },
  }
  const pool = await open(slow)
  const noted = pool.update(next(state), [good])
  await pool.addEvidence(good)
  await expect(pool.checkEvidence([good])).rejects.toMatchObject({ code: 'EVIDENCE_COMMITTED' })
  gate.resolve()
  await noted
  await pool.addEvidence(good)
  expect(pool.size()).toBe(0)
})

test('behavior: a check of evidence, good or about an unknown address, rotates no validator set', async () => {
  const { stateStore, blockStore } = chain
  const loadValidators = (): never => {
    throw new Error('a set is rotated')
  }
  const watched = { ...stateStore, loadValidators }
  const modules = { db: createMemoryStore(), stateStore: watched, blockStore, state, logger: noopLogger }
  const pool = await createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, modules)
  await pool.addEvidence(good)
  const [voteA, voteB] = votes()
  const validatorAddress = new Uint8Array(20).fill(1)
  const unknown = {
    ...good,
    sum: {
      ...good.sum,
      value: { ...good.sum?.value, voteA: { ...voteA, validatorAddress }, voteB: { ...voteB, validatorAddress } },
    },
  } as Evidence
  await expect(pool.addEvidence(unknown)).rejects.toThrow('was not a validator at height')
})
