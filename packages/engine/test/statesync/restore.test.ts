import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSeededRandom, createVirtualClock, type Logger, nextTurn, noopLogger, noopMetrics } from '@org/runtime'
import { Commit } from '@org/types'
import {
  ApplySnapshotChunkResult,
  OfferSnapshotResult,
  type RequestApplySnapshotChunk,
  type RequestOfferSnapshot,
  ResponseApplySnapshotChunk,
  ResponseInfo,
  type Snapshot,
} from '@org/types/abci'
import type { ChunkRequest } from '@org/types/messages'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Files, NODE_FILES } from '../../src/files/index.ts'
import {
  createSyncer,
  DEFAULT_RESTORE_OPTIONS,
  RESTORE_ERRORS,
  type Restored,
  RestoreError,
  type RestoreOptions,
  type RestoreProgress,
  type StateProvider,
} from '../../src/statesync/restore/index.ts'
import { makeFirstState } from '../support/first-state.ts'

let parent = ''
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'halley-restore-'))
  return () => rmSync(parent, { recursive: true })
})

const { state: FIRST } = makeFirstState({ chainId: 'restored', time: 1n, powers: [10n] })
const APP_VERSION = 9n
const appHashOf = (height: number): Uint8Array => Uint8Array.of(0xaa, height)
const snapshot = (height: number, format = 1, more: Partial<Snapshot> = {}): Snapshot => ({
  ...{ height, format, chunks: 3, hash: Uint8Array.of(1, 2, 3), metadata: Uint8Array.of(4) },
  ...more,
})

function chainAt(height: number): Restored {
  const blockId = { ...FIRST.lastBlockId, hash: new Uint8Array(32).fill(height) }
  const version = { ...FIRST.version, consensus: { ...FIRST.version.consensus, app: APP_VERSION } }
  const state = { ...FIRST, version, lastBlockHeight: height, lastBlockId: blockId, appHash: appHashOf(height) }
  return { state, commit: Commit.create({ height, blockId }) }
}

const PROVIDER: StateProvider = {
  appHash: async (height) => appHashOf(height),
  state: async (height) => chainAt(height).state,
  commit: async (height) => chainAt(height).commit,
}

interface Asked extends ChunkRequest {
  readonly peer: string
}

interface Script {
  readonly offer?: (request: RequestOfferSnapshot) => number
  readonly apply?: (request: RequestApplySnapshotChunk, count: number) => Partial<ResponseApplySnapshotChunk>
  readonly info?: () => Partial<ResponseInfo>
  readonly provider?: Partial<StateProvider>
  readonly files?: Files
  readonly logger?: Logger
  readonly options?: Partial<RestoreOptions>
  /** Answers a request for a chunk. Default: answers immediately, with the chunk. */
  readonly onRequest?: (asked: Asked, world: World) => void
}

type World = ReturnType<typeof open>

const chunkOf = (index: number): Uint8Array => Uint8Array.of(1, 1, index)

/** A syncer with an application and peers that follow a script. The chunks are written to the real disk. */
function open(script: Script = {}) {
  const clock = createVirtualClock()
  const offered: Snapshot[] = []
  const applied: RequestApplySnapshotChunk[] = []
  const asked: Asked[] = []
  const left: string[] = []
  const phases: RestoreProgress[] = []
  let restoring: Partial<ResponseInfo> = {}
  let restored: Partial<ResponseInfo> = {}
  let discoveries = 0
  const options = { ...DEFAULT_RESTORE_OPTIONS, discoveryMs: 0, ...script.options }
  const syncer = createSyncer(options, {
    app: {
      offerSnapshot: async (request) => {
        offered.push(request.snapshot as Snapshot)
        const { height, chunks } = request.snapshot as Snapshot
        expect(request.appHash).toEqual(appHashOf(height))
        restoring = { lastBlockHeight: height, lastBlockAppHash: request.appHash, appVersion: APP_VERSION }
        expect(chunks).toBeGreaterThan(0)
        return { result: (script.offer?.(request) ?? OfferSnapshotResult.accept) as 1 }
      },
      applySnapshotChunk: async (request) => {
        applied.push({ ...request, chunk: Uint8Array.from(request.chunk) })
        restored = restoring
        const answer = script.apply?.(request, applied.length) ?? {}
        return ResponseApplySnapshotChunk.create({ result: ApplySnapshotChunkResult.accept, ...answer })
      },
      info: async () => ResponseInfo.create(script.info?.() ?? restored),
    },
    provider: { ...PROVIDER, ...script.provider },
    peers: {
      requestSnapshots: () => void discoveries++,
      requestChunk: (peer, request) => {
        asked.push({ ...request, peer })
        if (script.onRequest === undefined) setImmediate(() => world.send({ ...request, peer }))
        else script.onRequest({ ...request, peer }, world)
      },
      leave: (peer) => void left.push(peer),
    },
    folder: join(parent, 'chunks'),
    files: script.files ?? NODE_FILES,
    clock,
    random: createSeededRandom(1),
    logger: script.logger ?? noopLogger,
    metrics: noopMetrics,
    onProgress: (progress) => phases.push(progress),
  })
  const controller = new AbortController()
  const world = {
    ...{ syncer, clock, offered, applied, asked, left, phases, controller },
    discoveries: () => discoveries,
    send: ({ peer, ...request }: Asked, chunk = chunkOf(request.index), missing = false) =>
      syncer.addChunk(peer, { ...request, chunk, missing }),
    /** Starts state sync with snapshots of peers. */
    run: (...offers: readonly (readonly [string, Snapshot])[]): Promise<Restored> => {
      const result = syncer.run(controller.signal)
      result.catch(() => undefined)
      for (const [peer, offer] of offers) void syncer.addSnapshot(peer, offer)
      return result
    },
    /** Runs turns of the event loop until the condition holds. The number of turns is limited. */
    until: async (isReached: () => boolean): Promise<void> => {
      for (let turns = 0; turns < 10_000 && !isReached(); turns++) await nextTurn()
      expect(isReached()).toBe(true)
    },
  }
  return world
}

const heights = (list: readonly { readonly height: number; readonly format: number }[]): readonly number[][] =>
  list.map(({ height, format }) => [height, format])

const failsWith = (promise: Promise<unknown>, code: string, advice: RegExp): Promise<void> =>
  expect(promise).rejects.toThrow(expect.objectContaining({ code, message: expect.stringMatching(advice) }))

describe('a restore', () => {
  test('default: a better snapshot of an unknown format is refused, and the other snapshot is restored, retried and verified', async () => {
    const world = open({
      offer: (request) =>
        request.snapshot?.format === 2 ? OfferSnapshotResult.rejectFormat : OfferSnapshotResult.accept,
      // After the last chunk, the application requests that the node restores the snapshot again and fetches the chunk
      // with index 1 again.
      apply: (_, count) => (count === 3 ? { result: ApplySnapshotChunkResult.retrySnapshot, refetchChunks: [1] } : {}),
    })
    const good = snapshot(1)
    const result = await world.run(['a', good], ['b', good], ['b', snapshot(2, 2)])
    expect(result).toEqual(chainAt(1))
    expect(heights(world.offered)).toEqual([
      [2, 2],
      [1, 1],
      [1, 1],
    ])
    expect(world.applied.map(({ index, chunk }) => [index, ...chunk])).toEqual(
      [0, 1, 2, 0, 1, 2].map((index) => [index, 1, 1, index]),
    )
    expect(world.asked.map(({ index }) => index).sort((a, b) => a - b)).toEqual([0, 1, 1, 2])
    expect(new Set(world.asked.map(({ peer }) => peer))).toEqual(new Set(['a', 'b']))
    for (const { index, sender } of world.applied.slice(0, 3)) {
      expect(world.asked.find((asked) => asked.index === index)?.peer).toBe(sender)
    }
    expect(readdirSync(parent)).toEqual([])
    expect([world.left, world.clock.pending()]).toEqual([[], 0])
  })

  test('default: progress names the snapshot, its chunks and the peers', async () => {
    const world = open()
    await world.run(['a', snapshot(1)], ['b', snapshot(1)])
    const phases = ['trusting', 'proving', 'restoring', 'verifying', 'restored']
    expect([...new Set(world.phases.map(({ phase }) => phase))]).toEqual(phases)
    const last = world.phases.at(-2)
    expect(last).toMatchObject({ snapshot: snapshot(1), applied: 3, received: 3, senders: 2, peers: 2 })
  })

  test('limit: as many chunks are requested at once as there are fetchers', async () => {
    const world = open({ options: { chunkFetchers: 2 }, onRequest: () => undefined })
    void world.run(['a', snapshot(1, 1, { chunks: 10 })])
    await world.until(() => world.asked.length > 0)
    expect(world.asked.map(({ index }) => index)).toEqual([0, 1])
    world.send(world.asked[1] as Asked)
    expect(world.asked.map(({ index }) => index)).toEqual([0, 1, 2])
    world.controller.abort(new Error('end'))
  })

  test('behavior: a restore that a crash interrupted before it was recorded is not repeated', async () => {
    const info = { lastBlockHeight: 5, lastBlockAppHash: appHashOf(5), appVersion: APP_VERSION }
    const world = open({ info: () => info })
    expect(await world.run(['a', snapshot(9)])).toEqual(chainAt(5))
    expect(world.offered).toEqual([])
  })

  test('behavior: an application with another state than the chain is offered snapshots', async () => {
    let calls = 0
    const world = open({
      info: () =>
        calls++ === 0
          ? { lastBlockHeight: 5, lastBlockAppHash: appHashOf(6), appVersion: APP_VERSION }
          : { lastBlockHeight: 9, lastBlockAppHash: appHashOf(9), appVersion: APP_VERSION },
    })
    expect(await world.run(['a', snapshot(9)])).toEqual(chainAt(9))
  })

  test('behavior: after an abort no file and no timer is left, and state sync can run again', async () => {
    const world = open({ onRequest: () => undefined })
    const result = world.run(['a', snapshot(1)])
    await world.until(() => world.asked.length === 3)
    await failsWith(world.syncer.run(world.controller.signal), RESTORE_ERRORS.running, /running already/)
    world.send(world.asked[1] as Asked)
    expect(readdirSync(join(parent, 'chunks'))).toEqual(['chunk-1'])
    world.controller.abort(new Error('stopped'))
    await expect(result).rejects.toThrow('stopped')
    expect([readdirSync(parent), world.clock.pending()]).toEqual([[], 0])
    const again = world.syncer.run(new AbortController().signal)
    await world.until(() => world.asked.length === 6)
    for (const asked of world.asked.slice(3)) expect(world.send(asked)).toEqual({ type: 'accept' })
    expect(await again).toEqual(chainAt(1))
  })
})

describe('OfferSnapshot', () => {
  const { abort, reject, rejectFormat, rejectSender } = OfferSnapshotResult

  test('error: ABORT ends state sync', async () => {
    const world = open({ offer: () => abort })
    await failsWith(world.run(['a', snapshot(1)]), RESTORE_ERRORS.aborted, /OfferSnapshot returned ABORT.*start/)
    expect(readdirSync(parent)).toEqual([])
  })

  test('behavior: after REJECT the next snapshot is offered, until no snapshot is left', async () => {
    const world = open({ offer: () => reject })
    const all = [snapshot(1, 1), snapshot(1, 2), snapshot(2, 2)]
    const result = world.run(...all.map((offer) => ['a', offer] as const))
    await failsWith(result, RESTORE_ERRORS.noSnapshots, /persistent_peers.*discovery_time/)
    expect(heights(world.offered)).toEqual([
      [2, 2],
      [1, 2],
      [1, 1],
    ])
  })

  test('behavior: after REJECT_FORMAT no snapshot of the format is offered', async () => {
    const world = open({ offer: ({ snapshot: offer }) => (offer?.format === 2 ? rejectFormat : abort) })
    const all = [snapshot(1, 1), snapshot(1, 2), snapshot(2, 2)]
    await failsWith(world.run(...all.map((offer) => ['a', offer] as const)), RESTORE_ERRORS.aborted, /ABORT/)
    expect(heights(world.offered)).toEqual([
      [2, 2],
      [1, 1],
    ])
  })

  test('behavior: after REJECT_SENDER no snapshot of these senders is offered, and they are disconnected', async () => {
    const world = open({ offer: ({ snapshot: offer }) => (offer?.height === 4 ? rejectSender : reject) })
    const result = world.run(
      ['a', snapshot(1)],
      ['b', snapshot(2)],
      ['c', snapshot(3)],
      ['b', snapshot(4)],
      ['c', snapshot(4)],
    )
    await failsWith(result, RESTORE_ERRORS.noSnapshots, /no peer/)
    expect(world.offered.map(({ height }) => height)).toEqual([4, 1])
    expect(world.left).toEqual(['b', 'c'])
  })

  test.each([0, 9])('error: the unknown result %i ends state sync', async (result) => {
    const world = open({ offer: () => result })
    await failsWith(world.run(['a', snapshot(1)]), RESTORE_ERRORS.app, /OfferSnapshot.*unknown result/)
  })

  test('error: a failed call ends state sync', async () => {
    const offer = (): number => {
      throw new Error('boom')
    }
    await failsWith(open({ offer }).run(['a', snapshot(1)]), RESTORE_ERRORS.app, /OfferSnapshot failed.*boom.*start/)
  })
})

describe('ApplySnapshotChunk', () => {
  const { accept, abort, retry, rejectSnapshot } = ApplySnapshotChunkResult

  test('error: ABORT, an unknown result and a failed call end state sync', async () => {
    const aborting = open({ apply: () => ({ result: abort }) })
    await failsWith(aborting.run(['a', snapshot(1)]), RESTORE_ERRORS.aborted, /ApplySnapshotChunk returned ABORT/)
    const unknown = open({ apply: () => ({ result: 9 as 1 }) })
    await failsWith(unknown.run(['a', snapshot(1)]), RESTORE_ERRORS.app, /unknown result 9/)
    const apply = (): never => {
      throw new Error('boom')
    }
    await failsWith(open({ apply }).run(['a', snapshot(1)]), RESTORE_ERRORS.app, /ApplySnapshotChunk failed.*boom/)
    expect(readdirSync(parent)).toEqual([])
  })

  test('behavior: RETRY gives the same chunk again without fetching it', async () => {
    const world = open({ apply: (_, count) => ({ result: count === 2 ? retry : accept }) })
    await world.run(['a', snapshot(1)])
    expect(world.applied.map(({ index }) => index)).toEqual([0, 1, 1, 2])
    expect(world.asked.length).toBe(3)
  })

  test('behavior: REJECT_SNAPSHOT goes to the next snapshot', async () => {
    const world = open({ apply: (_, count) => ({ result: count === 2 ? rejectSnapshot : accept }) })
    expect(await world.run(['a', snapshot(1)], ['a', snapshot(2)])).toEqual(chainAt(1))
    expect(world.offered.map(({ height }) => height)).toEqual([2, 1])
    expect(world.applied.map(({ index }) => index)).toEqual([0, 1, 0, 1, 2])
  })

  test('behavior: refetch_chunks fetches again, also with RETRY', async () => {
    const world = open({ apply: (_, count) => (count === 3 ? { result: retry, refetchChunks: [0, 2, 70] } : {}) })
    await world.run(['a', snapshot(1)])
    expect(world.applied.map(({ index }) => index)).toEqual([0, 1, 2, 0, 2])
    expect(world.asked.map(({ index }) => index).sort((a, b) => a - b)).toEqual([0, 0, 1, 2, 2])
  })

  test.each<readonly [string, (index: number) => Partial<ResponseApplySnapshotChunk>, number]>([
    ['RETRY for the second chunk', (index) => (index === 1 ? { result: retry } : {}), 1 + 11],
    ['refetch_chunks with its own chunk', (index) => ({ refetchChunks: [index] }), 11],
    ['refetch_chunks with an earlier chunk', (index) => (index === 1 ? { refetchChunks: [0, 1] } : {}), 2 * 11],
    ['RETRY_SNAPSHOT', () => ({ result: ApplySnapshotChunkResult.retrySnapshot }), 11],
    // The application rejects two ids as senders of chunks, but no peer has these ids. So the peer that offers the
    // snapshot is not rejected, and the node gives the same chunk to the application again.
    ['RETRY, and rejects unknown peers', () => ({ result: retry, rejectSenders: ['unknown', ''] }), 11],
  ])('error: if the answer is always %s, the snapshot is rejected, and another one is restored', async (...given) => {
    const [, answer, applied] = given
    const logged: unknown[] = []
    const world: World = open({
      apply: ({ index }) => (world.offered.at(-1)?.height === 2 ? answer(index) : {}),
      logger: { ...noopLogger, error: (message, fields) => void logged.push({ message, ...fields }) },
    })
    expect(await world.run(['a', snapshot(1)], ['a', snapshot(2)])).toEqual(chainAt(1))
    expect(world.applied).toHaveLength(applied + 3)
    expect(logged).toEqual([
      expect.objectContaining({
        message: 'The application requested too many retries, rejected snapshot',
        height: 2,
        code: 'STATESYNC_TOO_MANY_RETRIES',
        advice: expect.stringContaining('look at the log of the application'),
      }),
    ])
  })

  test('behavior: a retry with a rejected sender is not counted, because another peer sends the chunk', async () => {
    const offer = snapshot(1)
    const world = open({
      apply: ({ sender }) =>
        sender === 'honest' ? {} : { result: retry, refetchChunks: [0, 1, 2], rejectSenders: [sender] },
      options: { maxChunkRetries: 2 },
    })
    const peers = ['l1', 'l2', 'l3', 'l4', 'l5', 'honest']
    expect(await world.run(...peers.map((peer) => [peer, offer] as const))).toEqual(chainAt(1))
    expect(world.left.length).toBeGreaterThan(2)
  })

  test('limit: the log has at most 32 bytes of the hash of a snapshot', async () => {
    const logged: string[] = []
    const record = (message: string, fields: object = {}): void =>
      void logged.push(JSON.stringify({ message, ...fields }))
    const logger = { ...noopLogger, info: record, warn: record, error: record }
    const world = open({ logger, offer: () => OfferSnapshotResult.reject })
    const result = world.run(['a', snapshot(2, 1, { hash: new Uint8Array(100_000).fill(0xcd) })])
    await failsWith(result, RESTORE_ERRORS.noSnapshots, /no peer/)
    const withHash = logged.filter((line) => line.includes('CDCD'))
    expect(withHash).toEqual([expect.stringContaining('Discovered'), expect.stringContaining('rejected')])
    for (const line of withHash) expect(line).toContain(`"${'CD'.repeat(32)}… (100000 bytes)"`)
  })

  test('behavior: reject_senders discards the chunks of these peers, disconnects them, and continues with the other peers', async () => {
    const liars: string[] = []
    const world: World = open({
      onRequest: (asked, { send }) => void setImmediate(() => send(asked)),
      apply: ({ sender, index }) => {
        if (index !== 0 || liars.length > 0) return {}
        liars.push(sender)
        return { result: retry, refetchChunks: [0], rejectSenders: [sender, '', sender] }
      },
    })
    const offer = snapshot(1, 1, { chunks: 6 })
    await world.run(['a', offer], ['b', offer])
    expect(world.left).toEqual(liars)
    const honest = liars[0] === 'a' ? 'b' : 'a'
    expect(new Set(world.applied.slice(1).map(({ sender }) => sender))).toEqual(new Set([honest]))
  })
})

describe('verification of the application', () => {
  const right = { lastBlockHeight: 1, lastBlockAppHash: appHashOf(1), appVersion: APP_VERSION }
  const after = (info: Partial<ResponseInfo>) => {
    let calls = 0
    return open({ info: () => (calls++ === 0 ? {} : { ...right, ...info }) })
  }

  test('behavior: after a false snapshot its peers are disconnected, and another snapshot is restored in its place', async () => {
    let calls = 0
    const isFalse = (): boolean => ++calls === 2
    const world: World = open({
      info: () => {
        const taken = world.offered.at(-1)?.height ?? 0
        const lastBlockAppHash = isFalse() ? Uint8Array.of(1) : appHashOf(taken)
        return {
          lastBlockHeight: taken,
          lastBlockAppHash: taken === 0 ? new Uint8Array(0) : lastBlockAppHash,
          appVersion: APP_VERSION,
        }
      },
    })
    const { state } = await world.run(['liar', snapshot(9)], ['honest', snapshot(5)])
    expect(state.lastBlockHeight).toBe(5)
    expect(world.left).toEqual(['liar'])
    expect(world.offered.map(({ height }) => height)).toEqual([9, 5])
  })

  test('error: an application that takes no other snapshot after a false one must be reset', async () => {
    const refusals = [OfferSnapshotResult.abort, OfferSnapshotResult.reject]
    for (const refusal of refusals) {
      let offers = 0
      const world = open({
        info: () => (offers === 0 ? {} : { ...right, lastBlockAppHash: Uint8Array.of(1) }),
        offer: () => (++offers === 1 ? OfferSnapshotResult.accept : refusal),
      })
      await failsWith(world.run(['a', snapshot(1)], ['b', snapshot(1, 2)]), RESTORE_ERRORS.verification, /reset/)
      expect(offers).toBe(2)
    }
  })

  test('error: another height, app hash or version ends state sync', async () => {
    const height = after({ lastBlockHeight: 2 }).run(['a', snapshot(1)])
    await failsWith(height, RESTORE_ERRORS.verification, /restored height 2 .*height 1: reset/)
    const hash = after({ lastBlockAppHash: Uint8Array.of(1) }).run(['a', snapshot(1)])
    await failsWith(hash, RESTORE_ERRORS.verification, /app hash 01, .*AA01/i)
    const version = after({ appVersion: 8n }).run(['a', snapshot(1)])
    await failsWith(version, RESTORE_ERRORS.appVersion, /version 8.*version 9.*release/)
  })

  test('limit: an error keeps only the beginning of a long app hash', async () => {
    const run = after({ lastBlockAppHash: new Uint8Array(1_000_000) }).run(['a', snapshot(1)])
    const { message, data } = await run.then(
      () => expect.fail('the hash was accepted'),
      (error) => error,
    )
    expect(data.actualAppHash).toBe(`${'00'.repeat(32)}… (1000000 bytes)`)
    expect(message.length).toBeLessThan(400)
  })
})

describe('the state provider', () => {
  test('behavior: a snapshot whose height is not proven is put aside, tried again, and given up in the end', async () => {
    let fails = 0
    const appHash: StateProvider['appHash'] = async (height) => {
      if (height !== 5) return appHashOf(height)
      fails++
      throw new Error('height 6 is not there')
    }
    const world = open({ provider: { appHash }, options: { discoveryMs: 1000 } })
    const result = world.run(['a', snapshot(5)])
    let isDone = false
    void result.finally(() => {
      isDone = true
    })
    for (let round = 1; round <= 5; round++) {
      await world.until(() => world.clock.pending() > 0)
      world.clock.advance(1000)
      await world.until(() => world.clock.pending() > 0)
    }
    expect([fails, world.discoveries()]).toEqual([3, 6])
    world.syncer.addSnapshot('b', snapshot(4))
    world.clock.advance(1000)
    await world.until(() => isDone)
    expect(await result).toEqual(chainAt(4))
  })

  test('error: an error of the servers ends state sync', async () => {
    const advice = 'no server answers: correct statesync.rpc_servers'
    const state = async (): Promise<never> => {
      throw new RestoreError(RESTORE_ERRORS.servers, advice)
    }
    const world = open({ provider: { state } })
    await failsWith(world.run(['a', snapshot(1)]), RESTORE_ERRORS.servers, /rpc_servers/)
    expect(world.applied).toEqual([])
  })

  test('behavior: a proof that does not come in time gives the snapshot up, and its request is aborted', async () => {
    let isAborted = false
    const appHash: StateProvider['appHash'] = (_, signal) =>
      new Promise(() => {
        signal.onabort = () => {
          isAborted = true
        }
      })
    const world = open({ provider: { appHash } })
    const result = world.run(['a', snapshot(1)])
    await world.until(() => world.clock.pending() > 0)
    world.clock.advance(DEFAULT_RESTORE_OPTIONS.proofMs)
    await failsWith(result, RESTORE_ERRORS.noSnapshots, /no peer/)
    expect(isAborted).toBe(true)
  })

  test('error: a state of another height or hash than the commit is not restored', async () => {
    for (const provider of [
      { state: async () => chainAt(2).state },
      { commit: async () => chainAt(2).commit },
      { state: async () => ({ ...chainAt(1).state, appHash: appHashOf(3) }) },
    ]) {
      const world = open({ provider })
      await failsWith(world.run(['a', snapshot(1)]), RESTORE_ERRORS.noSnapshots, /no peer/)
      expect(world.applied).toEqual([])
    }
  })
})

describe('hostile and slow peers', () => {
  test('behavior: a chunk that does not come is requested from another peer; a late chunk is still taken', async () => {
    const world = open({ options: { chunkFetchers: 1 }, onRequest: () => undefined })
    const offer = snapshot(1, 1, { chunks: 2 })
    const result = world.run(['a', offer], ['b', offer])
    await world.until(() => world.asked.length === 1)
    world.clock.advance(DEFAULT_RESTORE_OPTIONS.chunkRequestMs)
    expect(world.asked.map(({ index }) => index)).toEqual([0, 0])
    const [first, second] = world.asked as unknown as readonly [Asked, Asked]
    expect(first.peer).not.toBe(second.peer)
    expect(world.send(first)).toEqual({ type: 'accept' })
    expect(world.send(second)).toMatchObject({ type: 'ignore' })
    expect(world.send(second)).toMatchObject({ type: 'reject' })
    await world.until(() => world.asked.length === 3)
    world.send(world.asked[2] as Asked)
    expect(await result).toEqual(chainAt(1))
  })

  test('behavior: a snapshot whose chunks never come is given up, and its silent peers are disconnected', async () => {
    const world = open({ onRequest: (asked, { send }) => asked.peer === 'b' && void setImmediate(() => send(asked)) })
    const result = world.run(['a', snapshot(9)], ['b', snapshot(1)], ['a', snapshot(8)])
    await world.until(() => world.asked.length === 3)
    for (let waited = 0; waited < 13; waited++) world.clock.advance(DEFAULT_RESTORE_OPTIONS.chunkRequestMs)
    expect(await result).toEqual(chainAt(1))
    expect([world.left, world.offered.map(({ height }) => height)]).toEqual([['a'], [9, 1]])
  })

  test('behavior: when all peers of a snapshot vanish, another snapshot is restored', async () => {
    const world = open({ onRequest: (asked, { send }) => asked.peer === 'b' && void setImmediate(() => send(asked)) })
    const result = world.run(['a', snapshot(9)], ['b', snapshot(1)])
    await world.until(() => world.asked.length === 3)
    world.syncer.removePeer('a')
    world.clock.advance(DEFAULT_RESTORE_OPTIONS.chunkRequestMs)
    expect(await result).toEqual(chainAt(1))
    expect(world.left).toEqual([])
  })

  test('behavior: a peer without the chunk is not asked for this snapshot again', async () => {
    const world: World = open({
      onRequest: (asked, { send }) => void setImmediate(() => send(asked, undefined, asked.peer === 'a')),
    })
    const offer = snapshot(1, 1, { chunks: 8 })
    await world.run(['a', offer], ['b', offer])
    expect(new Set(world.applied.map(({ sender }) => sender))).toEqual(new Set(['b']))
    expect(world.asked.filter(({ peer }) => peer === 'a').length).toBeLessThanOrEqual(4)
  })

  test('behavior: a peer that offers another snapshot after each failure does not keep the others waiting', async () => {
    let height = 100
    const world: World = open({
      onRequest: (asked, { send, syncer }) =>
        void setImmediate(() => {
          if (asked.peer === 'b') return send(asked)
          // Peer `a` is the liar: it answers that it does not have the chunk, and immediately offers a better snapshot.
          syncer.addSnapshot('a', snapshot(++height))
          return send(asked, undefined, true)
        }),
      options: { discoveryMs: 1000 },
    })
    const result = world.run()
    await world.until(() => world.discoveries() === 1)
    world.syncer.addSnapshot('a', snapshot(height))
    world.syncer.addSnapshot('b', snapshot(1))
    for (let waited = 0; waited < 100 && world.offered.length < 2; waited++) {
      world.clock.advance(DEFAULT_RESTORE_OPTIONS.chunkRequestMs)
      for (let turns = 0; turns < 20; turns++) await nextTurn()
    }
    expect(world.offered.map((offer) => offer.height)).toEqual([100, 1])
    expect(await result).toEqual(chainAt(1))
  })

  test('behavior: peers are asked again when no peer has the snapshot any more, and a newer snapshot is restored', async () => {
    const world: World = open({
      onRequest: (asked, { send }) => void setImmediate(() => send(asked, undefined, asked.height === 1)),
    })
    const result = world.run(['a', snapshot(1)])
    await world.until(() => world.discoveries() === 1)
    world.syncer.addSnapshot('a', snapshot(2))
    for (let waited = 0; waited < 4; waited++) {
      world.clock.advance(DEFAULT_RESTORE_OPTIONS.chunkRequestMs)
      for (let turns = 0; turns < 20; turns++) await nextTurn()
    }
    expect(await result).toEqual(chainAt(2))
    expect(world.discoveries()).toBe(1)
  })

  test('error: chunks that were not requested from the peer are refused, and nothing is stored', async () => {
    const world = open({ onRequest: () => undefined })
    const early = { peer: 'a', height: 1, format: 1, index: 0 }
    expect(world.send(early)).toMatchObject({ type: 'reject' })
    void world.run(['a', snapshot(1)])
    await world.until(() => world.asked.length === 3)
    for (const wrong of [
      { ...early, peer: 'b' },
      { ...early, height: 2 },
      { ...early, format: 2 },
      { ...early, index: 3 },
      { ...early, index: 2 ** 32 - 1 },
    ]) {
      expect(world.send(wrong)).toMatchObject({ type: 'reject' })
    }
    expect(readdirSync(join(parent, 'chunks'))).toEqual([])
    world.controller.abort(new Error('end'))
  })

  test('limit: a chunk above the limit is refused, and requested from another peer', async () => {
    const world = open({
      options: { maxChunkBytes: 100 },
      onRequest: (asked, { send }) =>
        void setImmediate(() => {
          const receipt = send(asked, asked.peer === 'a' ? new Uint8Array(101) : undefined)
          expect(receipt.type).toBe(asked.peer === 'a' ? 'reject' : 'accept')
        }),
    })
    expect(await world.run(['a', snapshot(1)], ['b', snapshot(1)])).toEqual(chainAt(1))
  })

  test('limit: a snapshot with too many chunks is refused, and its peer is not used', async () => {
    const world = open({ options: { maxSnapshotChunks: 10 } })
    const result = world.run(['a', snapshot(1, 1, { chunks: 11 })], ['a', snapshot(2)])
    expect(world.syncer.addSnapshot('b', snapshot(1, 1, { chunks: 2 ** 32 - 1 }))).toMatchObject({ type: 'reject' })
    await failsWith(result, RESTORE_ERRORS.noSnapshots, /no peer/)
    expect(world.offered).toEqual([])
  })

  test('behavior: a late chunk of a snapshot that was given up is not taken for the next one', async () => {
    const world = open({
      offer: ({ snapshot: offer }) => (offer?.hash[0] === 1 ? OfferSnapshotResult.accept : OfferSnapshotResult.reject),
      apply: (_, count) => (count === 1 ? { result: ApplySnapshotChunkResult.rejectSnapshot } : {}),
      onRequest: () => undefined,
    })
    // The two snapshots have the same height, format and hash, but different numbers of chunks.
    const [first, second] = [snapshot(1, 1, { chunks: 4 }), snapshot(1, 1, { chunks: 3 })]
    const result = world.run(['a', first], ['c', first], ['b', second])
    await world.until(() => world.asked.length === 4)
    const old = [...world.asked]
    for (const asked of old.slice(0, 1)) world.send(asked)
    await world.until(() => world.asked.length === 7)
    for (const asked of old.slice(1)) expect(world.send(asked, Uint8Array.of(9))).toMatchObject({ type: 'ignore' })
    for (const asked of world.asked.slice(4)) world.send(asked)
    expect(await result).toEqual(chainAt(1))
    expect(world.applied.slice(1).map(({ chunk, sender }) => [chunk[2], sender])).toEqual([
      [0, 'b'],
      [1, 'b'],
      [2, 'b'],
    ])
  })

  test('error: a full disk ends state sync with one coded error', async () => {
    const files: Files = {
      ...NODE_FILES,
      open: () => {
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
      },
    }
    const world = open({ files })
    await failsWith(world.run(['a', snapshot(1)]), RESTORE_ERRORS.folder, /ENOSPC.*free disk space.*temp_dir/)
    expect([readdirSync(parent), world.clock.pending()]).toEqual([[], 0])
  })
})
