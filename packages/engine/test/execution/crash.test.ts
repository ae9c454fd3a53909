import { type RequestFinalizeBlock, ResponseCommit, ResponseInfo, ResponseInitChain } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { State } from '@org/types/state'
import { expect, test } from 'vitest'
import { type CommitStep, createBlockExecutor, handshake, makeGenesisState } from '../../src/execution/index.ts'
import { createNopMempool } from '../../src/mempool/index.ts'
import { createBlockStore, createMemoryStore, createStateStore, type KeyValueStore } from '../../src/store/index.ts'
import * as made from './made-chain.ts'
import { noEvidence } from './plain-executor.ts'
import { quiet } from './replayed.ts'

const STEPS: readonly CommitStep[] = [
  'finalized',
  'responses-saved',
  'app-committed',
  'mempool-updated',
  'evidence-updated',
  'indexed',
  'state-saved',
  'pruned',
  'published',
]

/** The data that outlive a process: two databases, the application's state, the index. */
interface Disk {
  readonly states: KeyValueStore
  readonly blocks: KeyValueStore
  app: { readonly height: number; readonly hash: Uint8Array }
  readonly index: Map<number, string>
}

class Crash extends Error {}

const keys = made.makeKeys(3)
const genesis = made.makeGenesis(keys)
const newDisk = (): Disk => ({
  states: createMemoryStore(),
  blocks: createMemoryStore(),
  app: { height: 0, hash: new Uint8Array(0) },
  index: new Map(),
})

/** The state may be durable before the index is, or after it. */
interface Lost {
  readonly index?: boolean
  readonly state?: boolean
  /** False for an application that outlives the node. */
  readonly app?: boolean
}

/** Runs a node on this disk until `dieAt`, or to the end. */
function boot(disk: Disk, dieAt?: CommitStep, lost: Lost = {}) {
  // The caches of stores die with the process.
  const stateStore = createStateStore({}, { db: disk.states })
  const blockStore = createBlockStore({}, { db: disk.blocks })
  let staged: Disk['app'] | undefined
  let armed = false
  const agreeable = made.agreeableApp()
  const app = {
    ...agreeable,
    finalizeBlock: async (request: RequestFinalizeBlock) => {
      expect(request.height).toBe(disk.app.height + 1)
      const hash = sha256(Uint8Array.of(...disk.app.hash, request.txs.length, request.height))
      staged = { height: request.height, hash }
      return { ...(await agreeable.finalizeBlock(request)), appHash: hash }
    },
    commit: () => {
      disk.app = staged ?? disk.app
      return Promise.resolve(ResponseCommit.create())
    },
    initChain: () => Promise.resolve(ResponseInitChain.create()),
  }
  const info = () =>
    Promise.resolve(ResponseInfo.create({ lastBlockHeight: disk.app.height, lastBlockAppHash: disk.app.hash }))
  const common = {
    ...quiet,
    stateStore: {
      ...stateStore,
      save: (state: State) =>
        armed && lost.state === true ? Promise.reject(new Crash('state')) : stateStore.save(state),
    },
    blockStore,
    indexer: {
      hasBlock: (height: number) => disk.index.has(height),
      index: ({ header, data }: { header: { height: number }; data: { txs: readonly Uint8Array[] } }) => {
        if (armed && lost.index === true) return Promise.resolve()
        disk.index.set(header.height, data.txs.map(bytesToHex).join())
        return Promise.resolve()
      },
    },
    onStep: (step: CommitStep) => {
      if (armed && step === dieAt) throw new Crash(step)
    },
  }
  const executor = createBlockExecutor(
    { blockTimeTolerance: 0n, isAppInProcess: lost.app !== false },
    {
      ...common,
      app,
      mempool: createNopMempool(),
      evidencePool: noEvidence,
    },
  )
  return {
    arm: () => {
      armed = true
    },
    blockStore,
    executor,
    handshake: () =>
      handshake(
        { genesis, state: stateStore.load() ?? makeGenesisState(genesis) },
        { ...common, abci: { query: { info }, consensus: app } },
      ),
  }
}

/** Makes blocks up to `height` and stops at `dieAt` of the last one. */
async function live(disk: Disk, height: number, dieAt?: CommitStep, lost: Lost = {}): Promise<State> {
  const node = boot(disk, dieAt, lost)
  let state = await node.handshake()
  let lastCommit: Parameters<typeof made.makeBlockOn>[2]
  for (let at = 1; at <= height; at++) {
    const block = made.makeBlockOn(state, keys, { txs: [Uint8Array.of(at)], ...lastCommit })
    await node.blockStore.saveBlock({ block: block.block, parts: block.parts, seenCommit: block.commit })
    if (at === height) node.arm()
    state = await node.executor.applyBlock({ state, ...block })
    lastCommit = { lastCommit: block.commit }
  }
  return state
}

const shown = (state: State): string => bytesToHex(State.encode(state))

for (const height of [1, 3]) {
  for (const step of STEPS) {
    test(`behavior: a node that dies after "${step}" of block ${height} continues as if it had not`, async () => {
      const wanted = await live(newDisk(), height)
      const disk = newDisk()
      await expect(live(disk, height, step)).rejects.toThrow(Crash)
      const state = await boot(disk).handshake()
      expect(shown(state) === shown(wanted)).toBe(true)
      expect([...disk.index.keys()]).toEqual(Array.from({ length: height }, (_, index) => index + 1))
      expect(disk.app.height).toBe(height)
      expect(shown(await boot(disk).handshake()) === shown(wanted)).toBe(true)
    })
  }
}

test('behavior: an index that a crash removed while the state was saved is made again', async () => {
  const disk = newDisk()
  await expect(live(disk, 3, 'state-saved', { index: true })).rejects.toThrow(Crash)
  expect([...disk.index.keys()]).toEqual([1, 2])
  await boot(disk).handshake()
  expect([...disk.index.keys()]).toEqual([1, 2, 3])
})

for (const [name, dieAt, lost] of [
  ['index', 'state-saved', { index: true }],
  ['state', undefined, { state: true }],
  ['state and index', undefined, { state: true, index: true }],
  ['nothing', 'indexed', {}],
] as const) {
  test(`behavior: a crash in the middle of the next block, which removes ${name} of the last, leaves nothing of the next`, async () => {
    const wanted = await live(newDisk(), 3)
    const disk = newDisk()
    const two = await live(disk, 2)
    const node = boot(disk, dieAt, lost)
    const last = node.blockStore.loadSeenCommit(2)
    const third = made.makeBlockOn(two, keys, {
      txs: [Uint8Array.of(3)],
      ...(last === undefined ? {} : { lastCommit: last }),
    })
    await node.blockStore.saveBlock({ block: third.block, parts: third.parts, seenCommit: third.commit })
    node.arm()
    let work: Promise<void> = Promise.resolve()
    let published = false
    const later = (rest: Promise<void>, publish: () => void): void => {
      work = rest.then(publish).then(() => {
        published = true
      })
      work.catch(() => undefined)
    }
    const three = await node.executor.applyBlock({ state: two, ...third, later })
    // The application executes the next block meanwhile, and no further one.
    const fourth = made.makeBlockOn(three, keys, { txs: [], lastCommit: third.commit })
    const next = node.executor.applyBlock({ state: three, ...fourth, before: work, stored: work })
    await expect(next).rejects.toThrow(Crash)
    expect([published, disk.app.height]).toEqual([false, 3])
    const state = await boot(disk).handshake()
    expect(shown(state) === shown(wanted)).toBe(true)
    expect([...disk.index.keys()]).toEqual([1, 2, 3])
  })
}

test('behavior: a block that a crash removed while the application executed it leaves nothing behind', async () => {
  const disk = newDisk()
  const state = await live(disk, 2)
  const node = boot(disk)
  const seen = node.blockStore.loadSeenCommit(2)
  const block = made.makeBlockOn(state, keys, { txs: [], ...(seen === undefined ? {} : { lastCommit: seen }) })
  const stored = Promise.reject(new Crash('not stored'))
  await expect(node.executor.applyBlock({ state, ...block, stored })).rejects.toThrow(Crash)
  expect(disk.app.height).toBe(2)
  expect(shown(await boot(disk).handshake()) === shown(state)).toBe(true)
  expect([...disk.index.keys()]).toEqual([1, 2])
  // Another block may be decided at that height.
  const again = boot(disk)
  const other = made.makeBlockOn(state, keys, {
    txs: [Uint8Array.of(9)],
    ...(seen === undefined ? {} : { lastCommit: seen }),
  })
  await again.blockStore.saveBlock({ block: other.block, parts: other.parts, seenCommit: other.commit })
  await again.executor.applyBlock({ state, ...other })
  expect(disk.index.get(3)).toBe('09')
})

test('behavior: an application that outlives the node sees no block before it is saved', async () => {
  const disk = newDisk()
  const state = await live(disk, 1)
  const node = boot(disk, 'finalized', { app: false })
  node.arm()
  const seen = node.blockStore.loadSeenCommit(1)
  const block = made.makeBlockOn(state, keys, { txs: [], ...(seen === undefined ? {} : { lastCommit: seen }) })
  const failure = new Error('the disk is full')
  // A death after FinalizeBlock would give another error.
  await expect(node.executor.applyBlock({ state, ...block, stored: Promise.reject(failure) })).rejects.toBe(failure)
})

test('behavior: dying again during the recovery changes nothing', async () => {
  const wanted = await live(newDisk(), 3)
  for (const first of STEPS) {
    for (const second of STEPS) {
      const disk = newDisk()
      await expect(live(disk, 3, first)).rejects.toThrow(Crash)
      const node = boot(disk, second)
      node.arm()
      await node.handshake().catch((error) => expect(error).toBeInstanceOf(Crash))
      const state = await boot(disk).handshake()
      expect(shown(state) === shown(wanted), `${first}, then ${second}`).toBe(true)
      expect([...disk.index.keys()]).toEqual([1, 2, 3])
    }
  }
})
