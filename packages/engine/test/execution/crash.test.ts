import { State } from '@org/types'
import { type RequestFinalizeBlock, ResponseCommit, ResponseInfo, ResponseInitChain } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { expect, test } from 'vitest'
import { recoveryOf } from '../../src/execution/handshake/recovery.ts'
import {
  COMMIT_STEPS,
  type CommitStep,
  createBlockExecutor,
  handshake,
  makeGenesisState,
  type Recovery,
} from '../../src/execution/index.ts'
import { createNopMempool } from '../../src/mempool/index.ts'
import { createBlockStore, createMemoryStore, createStateStore, type KeyValueStore } from '../../src/store/index.ts'
import { noEvidence } from './plain-executor.ts'
import { quiet } from './replayed.ts'
import * as testChain from './test-chain.ts'

const STEPS = COMMIT_STEPS.map(({ name }) => name)

/** The data that outlive a process: two databases, the application's state, and the index. */
interface Disk {
  readonly states: KeyValueStore
  readonly blocks: KeyValueStore
  app: { readonly height: number; readonly hash: Uint8Array }
  readonly index: Map<number, string>
}

class Crash extends Error {}

const keys = testChain.makeKeys(3)
const genesis = testChain.makeGenesis(keys)
const newDisk = (): Disk => ({
  states: createMemoryStore(),
  blocks: createMemoryStore(),
  app: { height: 0, hash: new Uint8Array(0) },
  index: new Map(),
})

/** How a process ends in a test. */
interface CrashPlan {
  /** The process dies after this step. Other steps that were in progress at this moment may have ended or not. */
  readonly after?: CommitStep
  /** These steps, and all steps that wait for them, are not done. All other steps are done. */
  readonly without?: readonly CommitStep[]
  /** False if the application is another process, which continues when the node dies. Default: true. */
  readonly isAppInProcess?: boolean
}

/** Starts a node on this disk. After the call of `arm`, the node dies as its `CrashPlan` describes. */
function boot(disk: Disk, { after, without = [], isAppInProcess = true }: CrashPlan = {}) {
  // The stores are created again at each start, because their caches die with the process.
  const stateStore = createStateStore({}, { db: disk.states })
  const blockStore = createBlockStore({}, { db: disk.blocks })
  let staged: Disk['app'] | undefined
  let isArmed = false
  let hasCrashed = false
  /**
   * Returns a function that calls `run`. The function throws, and does not call `run`, if the process has crashed, or
   * if `without` of the `CrashPlan` contains `step`.
   */
  const withCrashPoint =
    <A extends unknown[], R>(step: CommitStep, run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (isArmed && (hasCrashed || without.includes(step))) throw new Crash(step)
      return run(...args)
    }
  const agreeable = testChain.agreeableApp()
  const app = {
    ...agreeable,
    finalizeBlock: withCrashPoint('finalize', async (request: RequestFinalizeBlock) => {
      expect(request.height).toBe(disk.app.height + 1)
      const hash = sha256(Uint8Array.of(...disk.app.hash, request.txs.length, request.height))
      staged = { height: request.height, hash }
      return { ...(await agreeable.finalizeBlock(request)), appHash: hash }
    }),
    commit: withCrashPoint('commit-app', () => {
      disk.app = staged ?? disk.app
      return Promise.resolve(ResponseCommit.create())
    }),
    initChain: () => Promise.resolve(ResponseInitChain.create()),
  }
  const info = () =>
    Promise.resolve(ResponseInfo.create({ lastBlockHeight: disk.app.height, lastBlockAppHash: disk.app.hash }))
  const common = {
    ...quiet,
    stateStore: {
      ...stateStore,
      saveFinalizeBlockResponse: withCrashPoint('save-responses', stateStore.saveFinalizeBlockResponse),
      save: withCrashPoint('save-state', stateStore.save),
    },
    blockStore,
    indexer: {
      hasBlock: (height: number) => disk.index.has(height),
      index: withCrashPoint(
        'index',
        ({ header, data }: { header: { height: number }; data: { txs: readonly Uint8Array[] } }) => {
          disk.index.set(header.height, data.txs.map(bytesToHex).join())
          return Promise.resolve()
        },
      ),
    },
    evidencePool: { ...noEvidence, update: withCrashPoint('update-evidence', noEvidence.update) },
    onStep: (step: CommitStep) => {
      if (!isArmed) return
      if (step === after) hasCrashed = true
      if (hasCrashed) throw new Crash(step)
    },
  }
  const mempool = createNopMempool()
  const executor = createBlockExecutor(
    { blockTimeTolerance: 0n, isAppInProcess },
    { ...common, app, mempool: { ...mempool, update: withCrashPoint('update-mempool', mempool.update) } },
  )
  return {
    arm: () => {
      isArmed = true
    },
    blockStore,
    stateStore,
    executor,
    /**
     * The steps of a commit that the caller of `applyBlock` must pass to it. The nodes in this test have neither WAL
     * nor signer, so two of the steps do nothing.
     */
    storing: ({ block, parts, commit }: ReturnType<typeof testChain.makeBlockOn>) => ({
      'sync-signed': withCrashPoint('sync-signed', () => Promise.resolve()),
      'save-block': withCrashPoint('save-block', () => blockStore.saveBlock({ block, parts, seenCommit: commit })),
      'mark-height': withCrashPoint('mark-height', () => Promise.resolve()),
    }),
    handshake: () =>
      handshake(
        { genesis, state: stateStore.load() ?? makeGenesisState(genesis) },
        { ...common, abci: { query: { info }, consensus: app } },
      ),
  }
}

/** Makes the block after a state, with one transaction. */
function blockOn(node: ReturnType<typeof boot>, state: State): ReturnType<typeof testChain.makeBlockOn> {
  const height = state.lastBlockHeight + 1
  const lastCommit = height === 1 ? undefined : node.blockStore.loadSeenCommit(height - 1)
  return testChain.makeBlockOn(state, keys, {
    txs: [Uint8Array.of(height)],
    ...(lastCommit === undefined ? {} : { lastCommit }),
  })
}

/** Starts a node, and makes blocks up to `height`. The node dies while it makes the last block. */
async function makeBlocksUpTo(disk: Disk, height: number, crash?: CrashPlan): Promise<State> {
  const node = boot(disk, crash)
  let state = await node.handshake()
  while (state.lastBlockHeight < height) {
    await node.executor.durable()
    if (state.lastBlockHeight === height - 1) node.arm()
    const block = blockOn(node, state)
    state = await node.executor.applyBlock({ state, ...block, steps: node.storing(block) })
  }
  await node.executor.durable()
  return state
}

const shown = (state: State): string => bytesToHex(State.encode(state))
const upTo = (height: number): number[] => Array.from({ length: height }, (_, index) => index + 1)

for (const height of [1, 3]) {
  for (const step of STEPS) {
    test(`behavior: a node that dies after "${step}" of block ${height} continues as if it had not crashed`, async () => {
      const wanted = await makeBlocksUpTo(newDisk(), height)
      const disk = newDisk()
      await expect(makeBlocksUpTo(disk, height, { after: step })).rejects.toThrow(Crash)
      const state = await makeBlocksUpTo(disk, height)
      expect(shown(state) === shown(wanted)).toBe(true)
      expect([...disk.index.keys()]).toEqual(upTo(height))
      expect(disk.app.height).toBe(height)
      expect(shown(await boot(disk).handshake()) === shown(wanted)).toBe(true)
    })
  }
}

/** Returns a step and all steps that wait for it. If the process dies during the step, none of these steps is done. */
function takenWith(step: CommitStep): CommitStep[] {
  const taken = [step]
  for (const { name, waitsFor } of COMMIT_STEPS) if (taken.some((one) => waitsFor.includes(one))) taken.push(name)
  return taken
}

/**
 * The ways to recover after a crash, the way with the most work first. Each way includes the work of all later ways in
 * the list. With `decide-again`, the validators decide the height again. The handshake of the next start does the work
 * of all other ways.
 */
const BY_STRENGTH: readonly Recovery[] = [
  'decide-again',
  'replay-block',
  'replay-responses',
  'index-last-block',
  'none',
]

for (const { name } of COMMIT_STEPS) {
  test(`behavior: the next start recovers from the loss of "${name}" as its plan says`, async () => {
    const planned = COMMIT_STEPS.filter((step) => takenWith(name).includes(step.name)).map(
      ({ recoversBy }) => recoversBy,
    )
    const wanted = BY_STRENGTH.find((recovery) => planned.includes(recovery)) ?? 'none'
    const disk = newDisk()
    const ended = makeBlocksUpTo(disk, 3, { without: [name] })
    // The commit of a block does not wait for three steps: `prune`, `publish`, and `sync-signed`, which syncs the WAL
    // and the state of the signer. So the commit succeeds even if one of these steps is not done.
    if (name === 'prune' || name === 'publish' || name === 'sync-signed') await ended
    else await expect(ended).rejects.toThrow(Crash)
    const { blockStore, stateStore } = boot(disk)
    const heights = {
      app: disk.app.height,
      store: blockStore.height(),
      state: stateStore.load()?.lastBlockHeight ?? 0,
    }
    const recovery = recoveryOf(heights, { initialHeight: 1, isIndexed: disk.index.has(heights.state) })
    expect(heights.store < 3 ? 'decide-again' : recovery).toBe(wanted)
    expect(shown(await makeBlocksUpTo(disk, 3)) === shown(await makeBlocksUpTo(newDisk(), 3))).toBe(true)
    expect([...disk.index.keys()]).toEqual(upTo(3))
  })
}

for (const without of [['index'], ['save-state'], ['index', 'save-state']] as const) {
  test(`behavior: a crash that takes ${without.join(' and ')} of a block leaves nothing of the next block`, async () => {
    const wanted = await makeBlocksUpTo(newDisk(), 3)
    const disk = newDisk()
    const two = await makeBlocksUpTo(disk, 2)
    const node = boot(disk, { without })
    node.arm()
    const third = blockOn(node, two)
    const three = await node.executor.applyBlock({ state: two, ...third, steps: node.storing(third) })
    // The steps of block 3 that are in `without` have failed. The execution of block 4 does not wait for these steps,
    // so block 4 may be executed. But block 4 is neither saved nor committed.
    const fourth = testChain.makeBlockOn(three, keys, { txs: [], lastCommit: third.commit })
    const next = node.executor.applyBlock({ state: three, ...fourth, steps: node.storing(fourth) })
    await expect(next).rejects.toThrow(Crash)
    await expect(node.executor.durable()).rejects.toThrow(Crash)
    expect([disk.app.height, boot(disk).blockStore.height()]).toEqual([3, 3])
    const state = await boot(disk).handshake()
    expect(shown(state) === shown(wanted)).toBe(true)
    expect([...disk.index.keys()]).toEqual([1, 2, 3])
  })
}

test('behavior: a block that a crash removed while the application executed it leaves nothing behind', async () => {
  const disk = newDisk()
  const state = await makeBlocksUpTo(disk, 2)
  await expect(makeBlocksUpTo(disk, 3, { without: ['save-block'] })).rejects.toThrow(Crash)
  expect(disk.app.height).toBe(2)
  expect(shown(await boot(disk).handshake()) === shown(state)).toBe(true)
  expect([...disk.index.keys()]).toEqual([1, 2])
  // After the crash, the validators may decide another block at height 3.
  const again = boot(disk)
  const seen = again.blockStore.loadSeenCommit(2)
  const other = testChain.makeBlockOn(state, keys, {
    txs: [Uint8Array.of(9)],
    ...(seen === undefined ? {} : { lastCommit: seen }),
  })
  await again.executor.applyBlock({ state, ...other, steps: again.storing(other) })
  await again.executor.durable()
  expect(disk.index.get(3)).toBe('09')
})

test('behavior: an application that outlives the node sees no block before it is saved', async () => {
  const disk = newDisk()
  const state = await makeBlocksUpTo(disk, 1)
  const node = boot(disk, { after: 'finalize', isAppInProcess: false })
  node.arm()
  const failure = new Error('the disk is full')
  const block = blockOn(node, state)
  const steps = { 'save-block': () => Promise.reject(failure) }
  // The saving of the block fails with `failure`. The node is planned to die after FinalizeBlock. So if FinalizeBlock
  // ran before the saving, the error would be a `Crash`.
  await expect(node.executor.applyBlock({ state, ...block, steps })).rejects.toBe(failure)
})

test('behavior: WAL and signer are at most one block behind', async () => {
  const node = boot(newDisk())
  let state = await node.handshake()
  const synced = Promise.withResolvers<void>()
  for (let height = 1; height <= 2; height++) {
    const block = blockOn(node, state)
    const steps = { ...node.storing(block), 'sync-signed': () => (height === 1 ? synced.promise : Promise.resolve()) }
    state = await node.executor.applyBlock({ state, ...block, steps })
    await node.executor.durable()
  }
  const third = blockOn(node, state)
  const applied = node.executor.applyBlock({ state, ...third, steps: node.storing(third) })
  // Block 3 must not be stored before `synced` resolves. The loop gives the node five turns of the event loop. If the
  // node did not wait for `synced`, it would store block 3 during these turns.
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(node.blockStore.height()).toBe(2)
  synced.resolve()
  expect((await applied).lastBlockHeight).toBe(3)
})

test('behavior: a second crash during the recovery changes nothing', async () => {
  const wanted = await makeBlocksUpTo(newDisk(), 3)
  for (const first of STEPS) {
    for (const second of STEPS) {
      const disk = newDisk()
      await expect(makeBlocksUpTo(disk, 3, { after: first })).rejects.toThrow(Crash)
      const node = boot(disk, { after: second })
      node.arm()
      await node.handshake().catch((error) => expect(error).toBeInstanceOf(Crash))
      const state = await makeBlocksUpTo(disk, 3)
      expect(shown(state) === shown(wanted), `${first}, then ${second}`).toBe(true)
      expect([...disk.index.keys()]).toEqual([1, 2, 3])
    }
  }
})
