import { readFileSync } from 'node:fs'
import { createVirtualClock, type Logger, nextTurn, noopLogger, noopMetrics, type VirtualClock } from '@org/runtime'
import { type Evidence, evidenceHeight, evidenceListToMisbehavior, type State, type Validator } from '@org/types'
import { beforeAll, describe, expect, test } from 'vitest'
import { createEvidencePool, DEFAULT_EVIDENCE_OPTIONS } from '../../src/evidence/index.ts'
import { bootstrapState, type ProvenBlock } from '../../src/execution/index.ts'
import { latestState } from '../../src/node/make-backfill.ts'
import { rollback } from '../../src/recovery/index.ts'
import { POOLED_SIGNATURES } from '../../src/signatures/index.ts'
import {
  BACKFILL_STEPS,
  type Backfill,
  type BackfillModules,
  createBackfill,
  DEFAULT_BACKFILL_OPTIONS,
  type HeaderServer,
} from '../../src/statesync/backfill/index.ts'
import { createBlockStore, createMemoryStore, createStateStore, type KeyValueStore } from '../../src/store/index.ts'
import { CHAIN_ID, type TestBlock } from '../execution/test-chain.ts'
import { type LightAttack, makeSourceChain, type SourceChain } from './source-chain.ts'

const SNAPSHOT = 20
const LAST = 24
/** The heights of the blocks that add a validator. A validator that block `h` adds signs from block `h + 2` on. */
const ADDITIONS = [5, 6, 12]
/** Small batches, so that a backfill has several of them. */
const OPTIONS = { ...DEFAULT_BACKFILL_OPTIONS, batchHeights: 4 }

let source: SourceChain
beforeAll(async () => {
  source = await makeSourceChain({ heights: LAST, additions: ADDITIONS })
})

interface Disk {
  readonly states: KeyValueStore
  readonly blocks: KeyValueStore
}

function openStores(disk: Disk) {
  return {
    stateStore: createStateStore({}, { db: disk.states }),
    blockStore: createBlockStore({}, { db: disk.blocks }),
  }
}

/** Makes the disk of a node that has restored the snapshot and then stored the blocks up to `last`. */
async function joinedDisk(chain = source, { snapshot = SNAPSHOT, last = LAST } = {}): Promise<Disk> {
  const disk = { states: createMemoryStore(), blocks: createMemoryStore() }
  const { stateStore, blockStore } = openStores(disk)
  const restored = { state: chain.restored(snapshot), commit: chain.proven(snapshot).commit }
  await bootstrapState({ restore: async () => restored, chainId: CHAIN_ID, stateStore, blockStore })
  await storeBlocks(disk, chain, { from: snapshot + 1, to: last })
  return disk
}

/** Stores further blocks, and the states after them. Validators and parameters do not change in these blocks. */
async function storeBlocks(disk: Disk, chain: SourceChain, { from, to }: { from: number; to: number }): Promise<void> {
  const { stateStore, blockStore } = openStores(disk)
  const since = { lastHeightValidatorsChanged: SNAPSHOT + 2, lastHeightConsensusParamsChanged: SNAPSHOT + 1 }
  for (let height = from; height <= to; height++) {
    const { block, parts, commit } = chain.blocks.get(height) as TestBlock
    await blockStore.saveBlock({ block, parts, seenCommit: commit })
    await stateStore.save({ ...chain.stateAfter(height), ...since })
  }
}

type Answer = ProvenBlock | undefined | Error
const serverOf = (name: string, answer: (height: number) => Answer): HeaderServer => ({
  name,
  blockAt: async (height) => {
    const block = answer(height)
    if (block instanceof Error) throw block
    return block
  },
})
const honest = (chain = source): HeaderServer => serverOf('honest', (height) => chain.proven(height))

interface Line {
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Returns a logger that keeps its lines. */
function keepingLogger(): { readonly lines: Line[]; readonly logger: Logger } {
  const lines: Line[] = []
  const add = (message: string, fields = {}): void => void lines.push({ message, fields })
  return { lines, logger: { ...noopLogger, info: add, warn: add, error: add } }
}

interface OpenOptions {
  readonly chain?: SourceChain
  readonly latest?: BackfillModules['latest']
}

function open(disk: Disk, servers: readonly HeaderServer[], { chain = source, latest }: OpenOptions = {}) {
  const stores = openStores(disk)
  const clock = createVirtualClock()
  const { lines, logger } = keepingLogger()
  const backfill = createBackfill(OPTIONS, {
    ...{ chainId: CHAIN_ID, initialHeight: 1, servers, ...stores, clock, logger, metrics: noopMetrics },
    findInvalid: POOLED_SIGNATURES.findInvalid,
    latest: latest ?? latestState(chain.restored(SNAPSHOT), stores),
    isCatchingUp: () => false,
  })
  return { backfill, clock, lines, ...stores }
}

/** Runs a backfill until the condition holds, or for `turns` turns of the event loop. */
async function runUntil(
  { backfill, clock }: { readonly backfill: Backfill; readonly clock: VirtualClock },
  isOver: () => boolean,
  turns = 20_000,
): Promise<void> {
  await backfill.start()
  for (let turn = 0; turn < turns && !isOver(); turn++) {
    await nextTurn()
    // The signatures of a commit may be verified on other threads, which need real time.
    if (turn % 20 === 0) clock.advance(50)
  }
  await backfill.stop()
}

const runWhole = (opened: ReturnType<typeof open>): Promise<void> => runUntil(opened, opened.backfill.isComplete)

/** Checks everything that is stored below the snapshot, down to `lowest`. */
function expectStored(disk: Disk, lowest: number, chain = source): void {
  const { blockStore, stateStore } = openStores(disk)
  expect(blockStore.backfilled()).toEqual({ snapshot: SNAPSHOT, lowest })
  for (let height = lowest; height <= SNAPSHOT; height++) {
    const meta = chain.stores.blockStore.loadBlockMeta(height)
    expect(blockStore.loadBlockMeta(height)).toEqual({ ...meta, blockSize: -1, numTxs: -1 })
    expect(blockStore.loadBlockCommit(height)).toEqual(chain.stores.blockStore.loadBlockCommit(height))
    const withoutPriority = (validator: Validator): Validator => ({ ...validator, proposerPriority: 0n })
    expect(stateStore.loadValidators(height).validators.map(withoutPriority)).toEqual(
      chain.stores.stateStore.loadValidators(height).validators.map(withoutPriority),
    )
  }
  expect(blockStore.loadBlockMeta(lowest - 1)).toBeUndefined()
}

test('default: the headers, commits and validators below the snapshot are stored, and the blocks stay the same', async () => {
  const disk = await joinedDisk()
  const opened = open(disk, [honest()])
  await runWhole(opened)
  expectStored(disk, 1)
  const { blockStore, lines } = opened
  expect([blockStore.base(), blockStore.height(), blockStore.size()]).toEqual([SNAPSHOT + 1, LAST, LAST - SNAPSHOT])
  const hash = source.stores.blockStore.loadBlockMeta(7)?.blockId.hash as Uint8Array
  expect([blockStore.loadBlock(7), blockStore.loadBlockByHash(hash)]).toEqual([undefined, undefined])
  expect(lines.map(({ message }) => message)).toEqual([
    'Fetching the headers below the snapshot, because evidence may need them',
    'All headers below the snapshot that evidence may need are stored',
  ])
})

test('default: the proposer priorities of the snapshot, which are proven, are not written again', async () => {
  const disk = await joinedDisk()
  const before = openStores(disk).stateStore.loadValidators(SNAPSHOT)
  const others = ({ validators, ...block }: ProvenBlock): ProvenBlock => ({
    ...block,
    validators: {
      ...validators,
      validators: validators.validators.map((validator) => ({ ...validator, proposerPriority: 7n })),
    },
  })
  await runWhole(open(disk, [serverOf('other priorities', (height) => others(source.proven(height)))]))
  expect(openStores(disk).stateStore.loadValidators(SNAPSHOT)).toEqual(before)
})

test.each([1, 6, 13, SNAPSHOT])(
  'default: evidence about height %i is accepted when its header is stored',
  async (height) => {
    const disk = await joinedDisk()
    const check = async (evidence: Evidence): Promise<void> => {
      const stores = openStores(disk)
      const state = source.stateAfter(LAST)
      const pool = await createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, {
        ...{ db: createMemoryStore(), ...stores, state, logger: noopLogger },
      })
      await pool.checkEvidence([evidence])
    }
    const evidence = source.doubleSign(height)
    await expect(check(evidence)).rejects.toThrow(`don't have header #${height}`)
    await runWhole(open(disk, [honest()]))
    await check(evidence)
  },
)

test('behavior: a node does not propose evidence that a block below its snapshot may contain', async () => {
  const disk = await joinedDisk()
  await runWhole(open(disk, [honest()]))
  const state = source.stateAfter(LAST)
  const modules = { db: createMemoryStore(), ...openStores(disk), state, logger: noopLogger }
  const pool = await createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, modules)
  // A stranger takes evidence from an old block and sends it to this node. The evidence is valid, and the node does not
  // have the block. All nodes that have the block refuse a second block with this evidence.
  for (const height of [6, SNAPSHOT]) await pool.addEvidence(source.doubleSign(height))
  expect([pool.size(), pool.pendingEvidence(-1n)]).toEqual([2, { evidence: [], size: 0 }])
  const younger = source.doubleSign(SNAPSHOT + 1)
  await pool.addEvidence(younger)
  expect(pool.pendingEvidence(-1n).evidence).toEqual([younger])
})

describe('evidence of an attack on light clients', () => {
  const other = new Uint8Array(32).fill(1)
  /** The attacks, each with the number of validators that the evidence accuses. */
  const attacks: Readonly<Record<string, { readonly attack: LightAttack; readonly guilty: number }>> = {
    // One validator joins at height 7, and another one at height 8. The validator that joins at height 8 signs the
    // false header of height 9. It is not accused, because it is not in the validator set of the common height 7.
    'a lunatic attack': { attack: { common: 7, height: 9, changes: { appHash: other } }, guilty: 4 },
    'a lunatic attack at the height of the snapshot': {
      attack: { common: 13, height: SNAPSHOT, changes: { appHash: other } },
      guilty: 5,
    },
    'a lunatic attack above the snapshot': {
      attack: { common: 13, height: SNAPSHOT + 2, changes: { appHash: other } },
      guilty: 5,
    },
    'an equivocation': { attack: { common: 9, height: 9, changes: { dataHash: other } }, guilty: 5 },
    'an equivocation at the height of the snapshot': {
      attack: { common: SNAPSHOT, height: SNAPSHOT, changes: { dataHash: other } },
      guilty: 6,
    },
    'an amnesia attack': { attack: { common: 9, height: 9, changes: { dataHash: other }, round: 1 }, guilty: 0 },
  }
  const openPool = (disk: Disk, isAwaited?: Backfill['isAwaited']) =>
    createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, {
      ...{ db: createMemoryStore(), ...openStores(disk), state: source.stateAfter(LAST), logger: noopLogger },
      ...(isAwaited && { isAwaited }),
    })

  test.each(Object.entries(attacks))(
    'behavior: %s below the snapshot is verified with the headers',
    async (_, given) => {
      const evidence = source.lightAttack(given.attack)
      expect(evidenceListToMisbehavior([evidence])).toHaveLength(given.guilty)
      const disk = await joinedDisk()
      await runWhole(open(disk, [honest()]))
      const pool = await openPool(disk)
      await pool.addEvidence(evidence)
      expect(pool.size()).toBe(1)
      await (await openPool(disk)).checkEvidence([evidence])
      // The pool computes the accused validators and the total power from the stored validator set of the common
      // height. So evidence with other values is refused.
      const { sum } = evidence
      if (sum?.case !== 'lightClientAttackEvidence') throw new Error('the evidence is of another kind')
      const value = { ...sum.value, byzantineValidators: sum.value.byzantineValidators.slice(1), totalVotingPower: 1n }
      const wrong: Evidence = { sum: { case: 'lightClientAttackEvidence', value } }
      await expect((await openPool(disk)).checkEvidence([wrong])).rejects.toMatchObject({ code: 'EVIDENCE_INVALID' })
    },
  )

  test('error: without the headers it is refused with a code, and the node verifies other evidence', async () => {
    const disk = await joinedDisk()
    const evidence = source.lightAttack({ common: 7, height: SNAPSHOT + 2, changes: { appHash: other } })
    const refused = { message: expect.stringContaining("don't have header #7") }
    const { backfill } = open(disk, [])
    const pool = await openPool(disk, backfill.isAwaited)
    await expect(pool.addEvidence(evidence)).rejects.toMatchObject({ code: 'EVIDENCE_INVALID', ...refused })
    await expect(pool.checkEvidence([evidence])).rejects.toMatchObject({ code: 'EVIDENCE_INVALID', ...refused })
    await pool.addEvidence(
      source.lightAttack({ common: SNAPSHOT + 1, height: SNAPSHOT + 2, changes: { appHash: other } }),
    )
    expect(pool.size()).toBe(1)
  })

  test('behavior: while its headers are fetched it is not judged, and a block with +2/3 waits for them', async () => {
    const disk = await joinedDisk()
    const evidence = source.lightAttack({ common: 7, height: SNAPSHOT + 2, changes: { appHash: other } })
    const opened = open(disk, [honest()])
    const pool = await openPool(disk, opened.backfill.isAwaited)
    await expect(pool.addEvidence(evidence)).rejects.toMatchObject({ code: 'EVIDENCE_NO_HEADER' })
    const stored = opened.backfill.whenStored(evidenceHeight(evidence), new AbortController().signal)
    await runWhole(opened)
    await stored
    await (await openPool(disk)).checkEvidence([evidence])
  })
})

test('behavior: a backfill begins before the first block after the snapshot is stored', async () => {
  const disk = await joinedDisk(source, { last: SNAPSHOT })
  await runWhole(open(disk, [honest()]))
  const { blockStore } = openStores(disk)
  expect(blockStore.backfilled()).toEqual({ snapshot: SNAPSHOT, lowest: 1 })
  expect([blockStore.base(), blockStore.height()]).toEqual([0, 0])
})

test('behavior: the last header is the first one whose evidence has expired by both limits', async () => {
  const chain = await makeSourceChain({ heights: LAST, evidenceAge: { blocks: 8n, seconds: 10n } })
  const disk = await joinedDisk(chain)
  const opened = open(disk, [honest(chain)], { chain })
  await runWhole(opened)
  const { lowest } = opened.blockStore.backfilled() ?? { lowest: 0 }
  const age = (height: number): readonly [bigint, number] => {
    const [old, last] = [height, LAST].map((at) => chain.blocks.get(at)?.block.header.time as bigint)
    return [(last as bigint) - (old as bigint), LAST - height]
  }
  const hasExpired = (height: number): boolean => age(height)[0] > 10_000_000_000n && age(height)[1] > 8
  expect([hasExpired(lowest), hasExpired(lowest + 1)]).toEqual([true, false])
  expectStored(disk, lowest, chain)
})

describe('servers that fail', () => {
  const signatureOf = (block: ProvenBlock, change: (signature: Uint8Array) => Uint8Array): ProvenBlock => ({
    ...block,
    commit: {
      ...block.commit,
      signatures: block.commit.signatures.map((each) => ({ ...each, signature: change(each.signature) })),
    },
  })
  const flipped = (bytes: Uint8Array): Uint8Array => bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte))
  const lies: Readonly<Record<string, (block: ProvenBlock) => Answer>> = {
    'another header': (block) => ({ ...block, header: { ...block.header, appHash: flipped(block.header.appHash) } }),
    'the block of another height': ({ header }) => source.proven(header.height + 1),
    'the validators of another height': (block) => ({ ...block, validators: source.proven(LAST).validators }),
    'other powers': ({ validators, ...block }) => ({
      ...block,
      validators: {
        ...validators,
        validators: validators.validators.map((each) => ({ ...each, votingPower: each.votingPower + 1n })),
      },
    }),
    'another address of a validator': ({ validators, ...block }) => ({
      ...block,
      validators: {
        ...validators,
        validators: validators.validators.map((each, i) =>
          i > 0 ? each : { ...each, address: flipped(each.address) },
        ),
      },
    }),
    'the commit of another height': (block) => ({ ...block, commit: source.proven(LAST).commit }),
    'a commit with other signatures': (block) => signatureOf(block, flipped),
    'a commit of another round': (block) => ({ ...block, commit: { ...block.commit, round: 1 } }),
    'a commit for another block': (block) => ({
      ...block,
      commit: { ...block.commit, blockId: source.proven(LAST).commit.blockId },
    }),
    'an error': () => new Error('no answer'),
  }

  test.each(Object.entries(lies))('error: %s is refused, and another server is asked', async (_, lie) => {
    const disk = await joinedDisk()
    // The false answer is for one height in the middle of the range, at which the validators change.
    const liar = serverOf('liar', (height) => (height === 8 ? lie(source.proven(8)) : source.proven(height)))
    let asked = 0
    const other = serverOf('other', (height) => {
      asked++
      return source.proven(height)
    })
    const opened = open(disk, [liar, other])
    await runWhole(opened)
    expectStored(disk, 1)
    expect(asked).toBeGreaterThan(0)
  })

  test('error: a liar is not asked again while it rests, and the log names it once', async () => {
    const disk = await joinedDisk()
    const asked: number[] = []
    const liar = serverOf('liar', (height) => {
      asked.push(height)
      return { ...source.proven(height), validators: source.proven(1).validators }
    })
    const opened = open(disk, [liar, honest()])
    await runWhole(opened)
    expect(asked.length).toBeLessThanOrEqual(OPTIONS.requestsAtOnce)
    const lines = opened.lines.filter(({ message }) => message.startsWith('An RPC server sent no correct header'))
    expect(lines).toMatchObject([{ fields: { server: 'liar', pauseMs: OPTIONS.restMs } }])
  })

  test('error: if no server has a height, the backfill ends, and the log names the lowest header', async () => {
    const disk = await joinedDisk()
    const pruned = (name: string, from: number): HeaderServer =>
      serverOf(name, (height) => (height < from ? undefined : source.proven(height)))
    const opened = open(disk, [pruned('one', 15), pruned('other', 11)])
    const isEnded = (): boolean => opened.lines.some(({ message }) => message.startsWith('No RPC server has'))
    await runUntil(opened, isEnded)
    expectStored(disk, 11)
    expect(opened.lines.at(-1)).toMatchObject({ fields: { snapshot: SNAPSHOT, lowest: 11 } })
    expect(opened.backfill.isComplete()).toBe(false)
    // The next start requests the missing headers again, and stores them below the headers that are stored already.
    await runWhole(open(disk, [honest()]))
    expectStored(disk, 1)
  })

  test('error: servers that never answer are asked again with longer pauses, and a stop ends the wait', async () => {
    const disk = await joinedDisk()
    let asked = 0
    const silent = serverOf('silent', () => {
      asked++
      return new Error('no answer')
    })
    const opened = open(disk, [silent])
    await opened.backfill.start()
    for (let pass = 0; pass < 200; pass++) {
      await nextTurn()
      opened.clock.advance(1000)
    }
    await opened.backfill.stop()
    // After each failure the server is not asked for a time: 10 s first, then 20, 40, 80 and 160 s. So in 200 s it is
    // asked at most five times, with four requests each time.
    expect(asked).toBeGreaterThan(OPTIONS.requestsAtOnce)
    expect(asked).toBeLessThanOrEqual(5 * OPTIONS.requestsAtOnce)
  })
})

test('behavior: a node that dies at any write continues without a gap', async () => {
  for (let crashAt = 1; ; crashAt++) {
    for (const isAfter of [false, true]) {
      const disk = await joinedDisk()
      let writes = 0
      const withCrashPoint = (db: KeyValueStore): KeyValueStore => ({
        ...db,
        write: async (ops, options) => {
          writes++
          if (writes < crashAt || (writes === crashAt && isAfter)) await db.write(ops, options)
          if (writes >= crashAt) throw new Error('the process is dead')
        },
      })
      const crashing = open({ states: withCrashPoint(disk.states), blocks: withCrashPoint(disk.blocks) }, [honest()])
      await runUntil(crashing, () => writes >= crashAt || crashing.backfill.isComplete())
      if (writes < crashAt) {
        expect(crashAt).toBeGreaterThan(4)
        return
      }
      const { lowest } = openStores(disk).blockStore.backfilled() ?? { lowest: 0 }
      expectStored(disk, lowest)
      await runWhole(open(disk, [honest()]))
      expectStored(disk, 1)
    }
  }
})

test('behavior: a wait for a header ends when the header is stored, and no other wait ends', async () => {
  const opened = open(await joinedDisk(), [honest()])
  const { backfill, blockStore } = opened
  const { signal } = new AbortController()
  const lowestAt: number[] = []
  const waits = [16, 3].map(async (height) => {
    await backfill.whenStored(height, signal)
    lowestAt.push(blockStore.backfilled()?.lowest as number)
  })
  expect([LAST, SNAPSHOT, 16, 1, 0].map(backfill.isAwaited)).toEqual([false, true, true, true, false])
  await runWhole(opened)
  await Promise.all(waits)
  const [first, second] = lowestAt as [number, number]
  expect([first <= 16 && first > 3, second <= 3]).toEqual([true, true])
  expect([SNAPSHOT, 16, 1].map(backfill.isAwaited)).toEqual([false, false, false])
  await backfill.whenStored(2, signal)
})

test('error: a wait while all servers are silent repeats a coded log line, and ends when a server answers', async () => {
  let isSilent = true
  const server = serverOf('slow', (height) => (isSilent ? new Error('no answer') : source.proven(height)))
  const opened = open(await joinedDisk(), [server])
  const { backfill, clock, lines } = opened
  let isOver = false
  const wait = backfill.whenStored(16, new AbortController().signal).then(() => {
    isOver = true
  })
  const warnings = (): readonly Line[] => lines.filter(({ fields }) => fields.code === 'BACKFILL_HEADER_AWAITED')
  await backfill.start()
  const advance = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 1000) {
      await nextTurn()
      clock.advance(1000)
    }
  }
  await advance(3 * OPTIONS.progressMs)
  expect(warnings()).toMatchObject(
    [1, 2, 3].map((n) => ({
      message: expect.stringContaining('statesync.rpc_servers'),
      fields: { height: 16, waitedMs: n * OPTIONS.progressMs },
    })),
  )
  expect(isOver).toBe(false)
  isSilent = false
  for (let turn = 0; turn < 2000 && !isOver; turn++) await advance(1000)
  await wait
  await backfill.stop()
  const { length } = warnings()
  clock.advance(10 * OPTIONS.progressMs)
  expect(warnings()).toHaveLength(length)
})

test('behavior: a wait ends when no server has the header, and when its signal aborts', async () => {
  const opened = open(await joinedDisk(), [
    serverOf('pruned', (height) => (height < 11 ? undefined : source.proven(height))),
  ])
  const { backfill } = opened
  const stop = new AbortController()
  const left = backfill.whenStored(4, stop.signal)
  const given = backfill.whenStored(5, new AbortController().signal)
  stop.abort(new Error('stopped'))
  await expect(left).rejects.toThrow('stopped')
  await runUntil(opened, () => !backfill.isAwaited(5))
  await given
  expect(backfill.isAwaited(5)).toBe(false)
})

test('behavior: nothing waits for a header without servers', async () => {
  const { backfill } = open(await joinedDisk(), [])
  expect(backfill.isAwaited(5)).toBe(false)
  await backfill.whenStored(5, new AbortController().signal)
})

test('behavior: nothing waits for a header if a new maximum age of evidence makes more headers necessary', async () => {
  const chain = await makeSourceChain({ heights: LAST, evidenceAge: { blocks: 8n, seconds: 10n } })
  const disk = await joinedDisk(chain)
  await runWhole(open(disk, [honest(chain)], { chain }))
  const { lowest } = openStores(disk).blockStore.backfilled() ?? { lowest: 0 }
  const { consensusParams, ...state } = chain.stateAfter(LAST)
  const withAge = (maxAgeNumBlocks: bigint): State => ({
    ...state,
    consensusParams: { ...consensusParams, evidence: { ...consensusParams.evidence, maxAgeNumBlocks } },
  })
  let latest = withAge(8n)
  // When the node starts, all headers that it needs are stored. So the node fetches no header.
  const { backfill } = open(disk, [honest(chain)], { chain, latest: () => latest })
  await backfill.start()
  latest = withAge(100n)
  expect([backfill.isComplete(), backfill.isAwaited(lowest - 1)]).toEqual([false, false])
  await backfill.whenStored(lowest - 1, new AbortController().signal)
  await backfill.stop()
})

test('default: evidence about a header that is being fetched has its own code', async () => {
  const { backfill, ...stores } = open(await joinedDisk(), [honest()])
  const pool = await createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, {
    ...{ db: createMemoryStore(), ...stores, state: source.stateAfter(LAST), logger: noopLogger },
    isAwaited: backfill.isAwaited,
  })
  const message = expect.stringContaining("don't have header #7")
  await expect(pool.addEvidence(source.doubleSign(7))).rejects.toMatchObject({ code: 'EVIDENCE_NO_HEADER', message })
})

test('behavior: another snapshot begins without the headers of the one before', async () => {
  const disk = await joinedDisk(source, { last: SNAPSHOT })
  await runWhole(open(disk, [honest()]))
  const { blockStore } = openStores(disk)
  await blockStore.markBackfill(SNAPSHOT + 2)
  expect(openStores(disk).blockStore.backfilled()).toEqual({ snapshot: SNAPSHOT + 2, lowest: SNAPSHOT + 3 })
  for (let height = 1; height <= SNAPSHOT + 2; height++) {
    expect([blockStore.loadBlockMeta(height), blockStore.loadBlockCommit(height)]).toEqual([undefined, undefined])
  }
})

test('behavior: a chain that began without the marked snapshot keeps its blocks', async () => {
  const disk = { states: createMemoryStore(), blocks: createMemoryStore() }
  // A crash ended the restore before the state was saved. Then state sync was switched off.
  const { blockStore, stateStore } = openStores(disk)
  await blockStore.markBackfill(SNAPSHOT)
  await stateStore.save(source.stateBefore)
  for (const [height, { block, parts, commit }] of source.blocks) {
    await blockStore.saveBlock({ block, parts, seenCommit: commit })
    await stateStore.save(source.stateAfter(height))
  }
  const metas = (): readonly unknown[] =>
    Array.from({ length: LAST }, (_, i) => openStores(disk).blockStore.loadBlockMeta(i + 1))
  const before = metas()
  const opened = open(disk, [honest()])
  await runUntil(opened, () => false, 2000)
  expect(metas()).toEqual(before)
  expect([opened.blockStore.backfilled(), opened.lines]).toEqual([undefined, []])
})

test('behavior: a rollback to the snapshot leaves an empty block store', async () => {
  const disk = await joinedDisk(source, { last: SNAPSHOT + 1 })
  await runWhole(open(disk, [honest()]))
  const stores = openStores(disk)
  const { height } = await rollback({ hard: true }, stores)
  const { blockStore, stateStore } = openStores(disk)
  expect([height, stateStore.load()?.lastBlockHeight]).toEqual([SNAPSHOT, SNAPSHOT])
  // Peers refuse a status whose base is above its height.
  for (const store of [stores.blockStore, blockStore])
    expect([store.base(), store.height(), store.size()]).toEqual([0, 0, 0])
  expectStored(disk, 1)
  await storeBlocks(disk, source, { from: SNAPSHOT + 1, to: LAST })
  expect(openStores(disk).blockStore.base()).toBe(SNAPSHOT + 1)
})

test('behavior: headers whose evidence has expired are removed, and the others stay readable', async () => {
  const evidenceAge = { blocks: 14n, seconds: 14n }
  const chain = await makeSourceChain({ heights: 34, additions: ADDITIONS, evidenceAge })
  const disk = await joinedDisk(chain)
  const opened = open(disk, [honest(chain)], { chain })
  await runWhole(opened)
  const before = opened.blockStore.backfilled()?.lowest as number
  await storeBlocks(disk, chain, { from: LAST + 1, to: LAST + 6 })
  const next = open(disk, [honest(chain)], { chain })
  const lowestNow = (): number => openStores(disk).blockStore.backfilled()?.lowest as number
  await runUntil(next, () => lowestNow() > before, 2000)
  expect(lowestNow()).toBeGreaterThan(before)
  expectStored(disk, lowestNow(), chain)
  expect(() => openStores(disk).stateStore.loadSigners(lowestNow() - 1)).toThrow()
  expect(openStores(disk).blockStore.loadBlockMeta(before)).toBeUndefined()
  // The next start has nothing to fetch.
  const asked: number[] = []
  const counting = serverOf('counting', (height) => {
    asked.push(height)
    return chain.proven(height)
  })
  const last = open(disk, [counting], { chain })
  await runUntil(last, () => false, 200)
  expect([asked, last.backfill.isComplete()]).toEqual([[], true])
})

test('error: a removal that fails is tried again later, and the log has the error', async () => {
  const evidenceAge = { blocks: 14n, seconds: 14n }
  const chain = await makeSourceChain({ heights: 34, additions: ADDITIONS, evidenceAge })
  const disk = await joinedDisk(chain)
  await runWhole(open(disk, [honest(chain)], { chain }))
  const before = openStores(disk).blockStore.backfilled()?.lowest as number
  await storeBlocks(disk, chain, { from: LAST + 1, to: LAST + 6 })
  let isFull = true
  const limited: KeyValueStore = {
    ...disk.states,
    write: async (ops, options) => {
      if (isFull) throw new Error('no space left on device')
      await disk.states.write(ops, options)
    },
  }
  const opened = open({ ...disk, states: limited }, [honest(chain)], { chain })
  const lowestNow = (): number => openStores(disk).blockStore.backfilled()?.lowest as number
  const { backfill, clock, lines } = opened
  await backfill.start()
  for (let turn = 0; turn < 100 && lines.length === 0; turn++) await nextTurn()
  expect(lines).toMatchObject([
    {
      message: 'Failed to remove expired headers below the snapshot, will try again',
      fields: { err: 'no space left on device', retryMs: OPTIONS.removeEveryMs },
    },
  ])
  expect(lowestNow()).toBe(before)
  isFull = false
  clock.advance(OPTIONS.removeEveryMs)
  for (let turn = 0; turn < 1000 && lowestNow() === before; turn++) await nextTurn()
  await backfill.stop()
  expect(lowestNow()).toBeGreaterThan(before)
  expectStored(disk, lowestNow(), chain)
})

test('behavior: a home that did not begin with a snapshot has no backfill', async () => {
  const disk = { states: createMemoryStore(), blocks: createMemoryStore() }
  const opened = open(disk, [honest()])
  await runUntil(opened, () => false, 20)
  expect([opened.backfill.isComplete(), opened.lines, opened.clock.pending()]).toEqual([true, [], 0])
})

test('error: without servers, a log line says what to set', async () => {
  const opened = open(await joinedDisk(), [])
  await runUntil(opened, () => false, 20)
  expect(opened.lines).toMatchObject([
    { message: expect.stringContaining('set statesync.enable and statesync.rpc_servers') },
  ])
})

test('default: the table in ARCHITECTURE.md is the list of steps', () => {
  const document = readFileSync(new URL('../../../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const section = document.slice(document.indexOf('### Headers below the snapshot'), document.indexOf('## Shapes'))
  const wanted = BACKFILL_STEPS.map(({ name, writes, waitsFor, forced, recoversBy }) => {
    const waits = waitsFor.map((step) => `\`${String(step)}\``).join(', ') || '–'
    return `| \`${name}\` | ${writes} | ${waits} | ${forced ? 'yes' : 'no'} | ${recoversBy} |`
  })
  expect(section.split('\n').filter((line) => line.startsWith('| `'))).toEqual(wanted)
})
