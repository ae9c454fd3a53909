import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSeededRandom, createVirtualClock, noopLogger, noopMetrics } from '@org/runtime'
import { State } from '@org/types'
import {
  ApplySnapshotChunkResult,
  OfferSnapshotResult,
  ResponseApplySnapshotChunk,
  ResponseCommit,
  ResponseInfo,
  ResponseInitChain,
  type Snapshot,
} from '@org/types/abci'
import { sha256 } from '@org/types/crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  BOOTSTRAP_ERRORS,
  BOOTSTRAP_STEPS,
  type BootstrapData,
  type BootstrapStep,
  bootstrapState,
  HANDSHAKE_ERRORS,
  handshake,
  makeGenesisState,
  mustRestore,
} from '../../src/execution/index.ts'
import { type Files, NODE_FILES } from '../../src/files/index.ts'
import { createSyncer, DEFAULT_RESTORE_OPTIONS, type Restored } from '../../src/statesync/restore/index.ts'
import { createBlockStore, createMemoryStore, createStateStore, type KeyValueStore } from '../../src/store/index.ts'
import { noEvidence, plainExecutor } from '../execution/plain-executor.ts'
import { quiet } from '../execution/replayed.ts'
import * as testChain from '../execution/test-chain.ts'

const SNAPSHOT_HEIGHT = 5
const LAST_HEIGHT = 8
const CHUNKS = 3

interface AppState {
  readonly height: number
  readonly hash: Uint8Array
}

const EMPTY_APP: AppState = { height: 0, hash: new Uint8Array(0) }
const keys = testChain.makeKeys(3)
const genesis = testChain.makeGenesis(keys)

/**
 * The data that outlive a process. Only the folder of chunks is a folder on the real disk; the other data are in
 * memory.
 */
interface Disk {
  readonly states: KeyValueStore
  readonly blocks: KeyValueStore
  app: AppState
}

const newDisk = (): Disk => ({ states: createMemoryStore(), blocks: createMemoryStore(), app: EMPTY_APP })

/** An application whose app hash depends on the heights and the numbers of transactions of all blocks. */
function createApp(read: () => AppState, write: (state: AppState) => void) {
  let staged = EMPTY_APP
  const agreeable = testChain.agreeableApp()
  return {
    ...agreeable,
    finalizeBlock: async (request: Parameters<typeof agreeable.finalizeBlock>[0]) => {
      const { height, hash } = read()
      expect(request.height).toBe(height + 1)
      staged = { height: request.height, hash: sha256(Uint8Array.of(...hash, request.height, request.txs.length)) }
      return { ...(await agreeable.finalizeBlock(request)), appHash: staged.hash }
    },
    commit: async () => {
      write(staged)
      return ResponseCommit.create()
    },
    initChain: async () => ResponseInitChain.create(),
  }
}

/** The chain of the other nodes: its blocks, and the states of the chain and the application after each block. */
interface Source {
  readonly blocks: ReadonlyMap<number, testChain.TestBlock>
  readonly states: ReadonlyMap<number, State>
  readonly apps: ReadonlyMap<number, AppState>
}

let source: Source
beforeAll(async () => {
  const [blocks, states, apps] = [new Map<number, testChain.TestBlock>(), new Map<number, State>(), new Map()]
  let app = EMPTY_APP
  const stores = testChain.memoryStores()
  const write = (next: AppState): void => {
    app = next
  }
  const executor = plainExecutor(stores, { app: createApp(() => app, write) })
  let state = testChain.genesisState(genesis)
  await stores.stateStore.save(state)
  for (let height = 1; height <= LAST_HEIGHT; height++) {
    const lastCommit = blocks.get(height - 1)?.commit
    const block = testChain.makeBlockOn(state, keys, {
      txs: [Uint8Array.of(height)],
      ...(lastCommit === undefined ? {} : { lastCommit }),
    })
    state = await executor.applyBlock({ state, ...block, steps: {} })
    await executor.durable()
    blocks.set(height, block)
    states.set(height, state)
    apps.set(height, app)
  }
  source = { blocks, states, apps }
})

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'halley-bootstrap-'))
  return () => rmSync(folder, { recursive: true })
})

const at = <T>(map: ReadonlyMap<number, T>, height: number): T => map.get(height) as T

/**
 * Returns the state of a height as state sync makes it from the light blocks of other nodes. A state contains the
 * heights at which the validators and the parameters last changed. Light blocks do not prove these two heights. So in
 * their place, state sync takes the first heights whose validators and parameters it stores.
 */
function proven(height: number): Restored {
  const state = at(source.states, height)
  return {
    state: { ...state, lastHeightValidatorsChanged: height + 2, lastHeightConsensusParamsChanged: height + 1 },
    commit: at(source.blocks, height).commit,
  }
}

const snapshotOf = (height: number): Snapshot => ({
  ...{ height, format: 1, chunks: CHUNKS, hash: at(source.apps, height).hash, metadata: new Uint8Array(0) },
})

class Crash extends Error {}

interface CrashPlan {
  /**
   * The number of the effect at which the process dies, counted from 1. An effect is a call whose result stays when the
   * process dies, such as a write.
   */
  readonly at: number
  /** True if this effect still happens before the process dies. */
  readonly isAfter: boolean
}

/**
 * Creates a node on this disk. `run` takes it to the last height: state sync, handshake, blocks. The node counts its
 * effects and crashes at the effect that `crash` names.
 */
function boot(disk: Disk, crash?: CrashPlan) {
  let effects = 0
  let hasCrashed = false
  function begin(): boolean {
    if (hasCrashed) throw new Crash()
    effects++
    if (effects !== crash?.at) return false
    hasCrashed = true
    if (!crash.isAfter) throw new Crash()
    return true
  }
  /** Wraps a call whose effect outlives the process. The process may die before or after the call. */
  function withCrashPoint<A extends unknown[], R>(run: (...args: A) => R): (...args: A) => R {
    return (...args) => {
      const crashes = begin()
      const result = run(...args)
      if (crashes) throw new Crash()
      return result
    }
  }
  const withAsyncCrashPoint =
    <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const crashes = begin()
      const result = await run(...args)
      if (crashes) throw new Crash()
      return result
    }
  const database = (db: KeyValueStore): KeyValueStore => ({ ...db, write: withAsyncCrashPoint(db.write) })
  const stateStore = createStateStore({}, { db: database(disk.states) })
  const blockStore = createBlockStore({}, { db: database(disk.blocks) })
  const save = withCrashPoint((state: AppState) => {
    disk.app = state
  })
  const app = createApp(() => disk.app, save)
  const info = async () => ResponseInfo.create({ lastBlockHeight: disk.app.height, lastBlockAppHash: disk.app.hash })
  const files: Files = {
    ...NODE_FILES,
    open: withCrashPoint(NODE_FILES.open),
    remove: (path) => {
      if (hasCrashed) throw new Crash()
      NODE_FILES.remove(path)
    },
  }
  const offered: number[] = []
  const steps: BootstrapStep[] = []

  function restore(): Promise<BootstrapData> {
    let target = 0
    const syncer = createSyncer(
      { ...DEFAULT_RESTORE_OPTIONS, discoveryMs: 0 },
      {
        app: {
          info,
          // Like many applications, this application restores only into an empty state.
          offerSnapshot: async ({ snapshot }) => {
            offered.push(snapshot?.height ?? 0)
            target = snapshot?.height ?? 0
            return { result: disk.app.height === 0 ? OfferSnapshotResult.accept : OfferSnapshotResult.reject }
          },
          applySnapshotChunk: async ({ index }) => {
            if (index === CHUNKS - 1) save(at(source.apps, target))
            return ResponseApplySnapshotChunk.create({ result: ApplySnapshotChunkResult.accept })
          },
        },
        provider: {
          appHash: async (height) => at(source.apps, height).hash,
          state: async (height) => proven(height).state,
          commit: async (height) => proven(height).commit,
        },
        peers: {
          requestSnapshots: () => undefined,
          requestChunk: (peer, request) => {
            setImmediate(() => syncer.addChunk(peer, { ...request, chunk: Uint8Array.of(1), missing: false }))
          },
          leave: () => undefined,
        },
        ...{ folder: join(folder, 'chunks'), files, clock: createVirtualClock(), random: createSeededRandom(1) },
        ...{ logger: noopLogger, metrics: noopMetrics },
      },
    )
    const result = syncer.run(new AbortController().signal)
    syncer.addSnapshot('peer', snapshotOf(SNAPSHOT_HEIGHT))
    return result
  }

  const shake = (): Promise<State> =>
    handshake(
      { genesis, state: stateStore.load() ?? makeGenesisState(genesis) },
      { ...quiet, stateStore, blockStore, abci: { query: { info }, consensus: app } },
    )

  async function run(): Promise<State> {
    const heights = {
      state: stateStore.load()?.lastBlockHeight ?? 0,
      store: blockStore.height(),
      app: disk.app.height,
    }
    if (mustRestore(heights)) {
      await bootstrapState({
        ...{ restore, chainId: genesis.chainId, stateStore, blockStore },
        onStep: (step) => void steps.push(step),
      })
    }
    let state = await shake()
    const executor = plainExecutor({ stateStore, blockStore }, { app, evidencePool: noEvidence })
    while (state.lastBlockHeight < LAST_HEIGHT) {
      const { block, parts, blockId, commit } = at(source.blocks, state.lastBlockHeight + 1)
      const saving = { 'save-block': () => blockStore.saveBlock({ block, parts, seenCommit: commit }) }
      state = await executor.applyBlock({ state, block, blockId, steps: saving })
      await executor.durable()
    }
    return state
  }

  return { run, shake, offered, steps, stateStore, blockStore, effects: () => effects }
}

/**
 * Returns the encoded state without the heights at which validators and parameters last changed, because a restored
 * node does not have these heights.
 */
const comparable = (state: State): string =>
  State.encode({ ...state, lastHeightValidatorsChanged: 0, lastHeightConsensusParamsChanged: 0 }).join()

test('default: a restored node continues with the blocks of the chain', async () => {
  const disk = newDisk()
  const node = boot(disk)
  expect(comparable(await node.run())).toBe(comparable(at(source.states, LAST_HEIGHT)))
  expect([node.offered, node.steps]).toEqual([[SNAPSHOT_HEIGHT], BOOTSTRAP_STEPS.map(({ name }) => name)])
  expect([node.blockStore.base(), node.blockStore.height()]).toEqual([SNAPSHOT_HEIGHT + 1, LAST_HEIGHT])
  for (let height = SNAPSHOT_HEIGHT; height <= LAST_HEIGHT; height++) {
    expect(node.stateStore.loadValidators(height)).toEqual(at(source.states, height).lastValidators)
  }
  expect(readdirSync(folder)).toEqual([])
})

/**
 * Checks the disk after a crash. Either a state is stored with all that it needs, or neither a state nor a block is
 * stored.
 */
function expectWholeOrNothing(disk: Disk): void {
  const stateStore = createStateStore({}, { db: disk.states })
  const blockStore = createBlockStore({}, { db: disk.blocks })
  const state = stateStore.load()
  if (state === undefined) {
    expect([blockStore.base(), blockStore.height(), blockStore.loadBlockMeta(SNAPSHOT_HEIGHT)]).toEqual([
      0,
      0,
      undefined,
    ])
    return
  }
  expect(state.lastBlockHeight).toBeGreaterThanOrEqual(SNAPSHOT_HEIGHT)
  expect(disk.app.height).toBeGreaterThanOrEqual(SNAPSHOT_HEIGHT)
  expect(blockStore.loadSeenCommit(SNAPSHOT_HEIGHT)).toEqual(at(source.blocks, SNAPSHOT_HEIGHT).commit)
  expect(blockStore.backfilled()).toEqual({ snapshot: SNAPSHOT_HEIGHT, lowest: SNAPSHOT_HEIGHT + 1 })
}

test('behavior: a node that dies at any write of a restore begins again, or continues', {
  timeout: 60_000,
}, async () => {
  const whole = boot(newDisk())
  await whole.run()
  // The effects are, in this order: the chunks are written, the application restores the snapshot, the seen commit is
  // saved, the block store records that a backfill is needed, the state is saved, and three blocks are written.
  expect(whole.effects()).toBeGreaterThan(CHUNKS + 4)
  const wanted = comparable(at(source.states, LAST_HEIGHT))
  for (let effect = 1; effect <= whole.effects(); effect++) {
    for (const isAfter of [false, true]) {
      const disk = newDisk()
      await expect(boot(disk, { at: effect, isAfter }).run()).rejects.toThrow()
      expectWholeOrNothing(disk)
      const { height: restored } = disk.app
      const next = boot(disk)
      expect(comparable(await next.run())).toBe(wanted)
      // If the application has restored the snapshot already, the next start offers it no snapshot.
      expect(next.offered).toEqual(restored === 0 ? [SNAPSHOT_HEIGHT] : [])
      expect(readdirSync(folder)).toEqual([])
    }
  }
})

test('behavior: a second crash during the recovery changes nothing', { timeout: 60_000 }, async () => {
  const wanted = comparable(at(source.states, LAST_HEIGHT))
  for (let first = 1; first <= CHUNKS + 5; first++) {
    for (let second = 1; second <= CHUNKS + 5; second++) {
      const disk = newDisk()
      await boot(disk, { at: first, isAfter: true })
        .run()
        .catch(() => undefined)
      await boot(disk, { at: second, isAfter: false })
        .run()
        .catch(() => undefined)
      expectWholeOrNothing(disk)
      expect(comparable(await boot(disk).run())).toBe(wanted)
    }
  }
})

test('error: before the state is saved, a start without state sync does not take the restored application', async () => {
  const disk = newDisk()
  // The first effects are, in this order: the chunks are written, the application restores the snapshot, the seen
  // commit is saved, and the block store records that a backfill is needed. The process dies after this record is
  // written.
  await expect(boot(disk, { at: CHUNKS + 3, isAfter: true }).run()).rejects.toThrow(Crash)
  expect(disk.app.height).toBe(SNAPSHOT_HEIGHT)
  await expect(boot(disk).shake()).rejects.toMatchObject({ code: HANDSHAKE_ERRORS.appHashMismatch })
})

test('behavior: an application that has lost what it restored is restored again', async () => {
  const disk = newDisk()
  // The process dies after the write of the state.
  await expect(boot(disk, { at: CHUNKS + 4, isAfter: true }).run()).rejects.toThrow(Crash)
  expect(createStateStore({}, { db: disk.states }).load()?.lastBlockHeight).toBe(SNAPSHOT_HEIGHT)
  disk.app = EMPTY_APP
  const node = boot(disk)
  expect(comparable(await node.run())).toBe(comparable(at(source.states, LAST_HEIGHT)))
  expect(node.offered).toEqual([SNAPSHOT_HEIGHT])
})

test.each([
  [{ state: 0, store: 0, app: 0 }, true],
  [{ state: 0, store: 0, app: 5 }, true],
  [{ state: 5, store: 0, app: 5 }, false],
  [{ state: 5, store: 0, app: 0 }, true],
  [{ state: 5, store: 6, app: 5 }, false],
  [{ state: 5, store: 6, app: 0 }, false],
  [{ state: 0, store: 1, app: 0 }, false],
])('default: whether a start with %j begins with a snapshot: %s', (heights, expected) => {
  expect(mustRestore(heights)).toBe(expected)
})

describe('data that are not recorded', () => {
  const record = async (changes: Partial<BootstrapData>, chainId = genesis.chainId) => {
    const stores = testChain.memoryStores()
    const restore = async (): Promise<BootstrapData> => ({ ...proven(SNAPSHOT_HEIGHT), ...changes })
    const failure = await bootstrapState({ restore, chainId, ...stores }).catch((error: unknown) => error)
    expect([stores.stateStore.load(), stores.blockStore.loadSeenCommit(SNAPSHOT_HEIGHT)]).toEqual([
      undefined,
      undefined,
    ])
    return failure
  }

  test('error: refuses the state of another chain', async () => {
    expect(await record({}, 'another')).toMatchObject({
      code: BOOTSTRAP_ERRORS.chain,
      message: expect.stringMatching(/chain made.*of another: correct/),
    })
  })

  test('error: refuses the commit of another block, or a commit with a false signature', async () => {
    const { commit } = proven(SNAPSHOT_HEIGHT)
    const [first, ...others] = commit.signatures
    const forged = { ...first, signature: new Uint8Array(64) } as typeof first
    for (const wrong of [
      proven(4).commit,
      { ...commit, signatures: [forged, ...others] as typeof commit.signatures },
    ]) {
      expect(await record({ commit: wrong })).toMatchObject({
        code: BOOTSTRAP_ERRORS.commit,
        message: expect.stringMatching(/height 5 is invalid .*rpc_servers/),
      })
    }
  })

  test('error: refuses a home with blocks', async () => {
    const stores = testChain.memoryStores()
    const { block, parts, commit } = at(source.blocks, 1)
    await stores.blockStore.saveBlock({ block, parts, seenCommit: commit })
    const restore = (): Promise<never> => Promise.reject(new Error('restored'))
    await expect(bootstrapState({ restore, chainId: genesis.chainId, ...stores })).rejects.toMatchObject({
      code: BOOTSTRAP_ERRORS.notEmpty,
      message: expect.stringMatching(/up to height 1.*remove the blocks \(halley reset-state/),
    })
  })
})

test('default: the table in ARCHITECTURE.md is the list of steps', () => {
  const document = readFileSync(new URL('../../../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const section = document.slice(
    document.indexOf('### Beginning with a snapshot'),
    document.indexOf('### Headers below the snapshot'),
  )
  const wanted = BOOTSTRAP_STEPS.map(({ name, writes, waitsFor, forced, recoversBy }) => {
    const waits = waitsFor.map((step) => `\`${String(step)}\``).join(', ') || '–'
    return `| \`${name}\` | ${writes} | ${waits} | ${forced ? 'yes' : 'no'} | ${recoversBy} |`
  })
  expect(section.split('\n').filter((line) => line.startsWith('| `'))).toEqual(wanted)
})
