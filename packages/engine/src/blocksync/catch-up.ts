import { ignore, type Verdict } from '@org/p2p'
import type { Held, Sizes } from '@org/runtime'
import type { State } from '@org/types'
import type { BlockResponse } from '@org/types/messages'
import type { ReceivedBlockSizes } from './check-block.ts'
import { BLOCKSYNC_FAULTS } from './faults.ts'
import { type BlockSyncOptions, LATE_ANSWERS_MS } from './options.ts'
import { createSyncRun, type SyncProgress, type SyncRun, type SyncRunModules } from './sync-run.ts'

export type CatchUpModules = Omit<SyncRunModules, 'onEnd'>

type Range = { readonly base: number; readonly height: number }

/** The phase of block sync, with the data that block sync keeps in this phase. */
type Phase =
  | {
      readonly name: 'idle'
      /** The range of blocks that each peer reported before block sync began. */
      readonly ranges: Map<string, Range>
    }
  | { readonly name: 'syncing'; readonly run: SyncRun }
  | {
      readonly name: 'done'
      /** The peers that had not answered a request when the run ended. */
      readonly latePeers: Set<string>
      /** The time until which the node accepts answers of `latePeers`, in milliseconds of the monotonic clock. */
      readonly acceptUntil: number
    }

/**
 * Runs block sync. Before the run, this object records the range of blocks that each peer reports. After the run, it
 * records which peers may still send late answers.
 */
export interface CatchUp {
  /**
   * `idle`: the run has not begun. `done`: the run is over, but for some time peers may still answer the requests of
   * the run.
   */
  readonly phase: () => Phase['name']
  readonly run: (state: State) => Promise<State | undefined>
  /** The state after the last block that was applied; `undefined` while no run is in progress. */
  readonly state: () => State | undefined
  readonly stop: () => Promise<void>
  readonly isAsked: (peerId: string) => boolean
  /** Returns whether the peer may send a block: a request to the peer is pending, or was pending when the run ended. */
  readonly mayAnswer: (peerId: string) => boolean
  /** Gives the pool a block that a peer sent. Throws a coded error for an invalid block. */
  readonly takeBlock: (peerId: string, response: BlockResponse, taken: ReceivedBlockSizes) => Verdict
  readonly setRange: (peerId: string, range: Range) => void
  readonly decline: (peerId: string, height: number) => void
  readonly removePeer: (peerId: string) => void
  readonly sizes: () => Sizes
  /** Returns the progress of the run; `undefined` while no run is in progress. */
  readonly progress: () => SyncProgress | undefined
  /** How many blocks of this peer wait to be applied, and how much memory they take. */
  readonly heldFor: (peerId: string) => Held
}

/** Creates a block sync that has not begun. The call of `run` begins the block sync. */
export function createCatchUp(options: BlockSyncOptions, modules: CatchUpModules): CatchUp {
  const { clock } = modules
  let phase: Phase = { name: 'idle', ranges: new Map() }

  const current = (): SyncRun | undefined => (phase.name === 'syncing' ? phase.run : undefined)

  function run(state: State): Promise<State | undefined> {
    const begun = createSyncRun(state, options, {
      ...modules,
      onEnd: () => {
        const acceptUntil = clock.monotonic() + LATE_ANSWERS_MS
        phase = { name: 'done', latePeers: new Set(begun.pool.requestedPeers()), acceptUntil }
      },
    })
    const ranges = phase.name === 'idle' ? phase.ranges : []
    phase = { name: 'syncing', run: begun }
    for (const [id, range] of ranges) begun.pool.setRange(id, range, clock.monotonic())
    begun.start()
    return begun.finished
  }

  return {
    phase: () => phase.name,
    run,
    state: () => current()?.state(),
    stop: async () => current()?.stop(),
    isAsked: (peerId) => current()?.pool.hasRequests(peerId) ?? false,
    mayAnswer: (peerId) => {
      if (phase.name === 'syncing') return phase.run.pool.hasRequests(peerId)
      return phase.name === 'done' && clock.monotonic() < phase.acceptUntil && phase.latePeers.has(peerId)
    },
    takeBlock: (peerId, response, taken) =>
      current()?.takeBlock(peerId, response, taken) ??
      ignore(BLOCKSYNC_FAULTS.notNeeded, 'the block is no longer needed'),
    setRange: (peerId, range) => {
      if (phase.name === 'idle') phase.ranges.set(peerId, range)
      if (phase.name !== 'syncing') return
      phase.run.pool.setRange(peerId, range, clock.monotonic())
      phase.run.advance()
    },
    decline: (peerId, height) => {
      if (phase.name !== 'syncing') return
      phase.run.pool.decline(peerId, height, clock.monotonic())
      phase.run.advance()
    },
    sizes: () => ({
      ranges: phase.name === 'idle' ? phase.ranges.size : 0,
      known: current()?.pool.peerCount() ?? 0,
      blocks: current()?.pool.size() ?? 0,
    }),
    progress: () => current()?.progress(),
    heldFor: (peerId) => current()?.pool.heldFor(peerId) ?? { items: 0, bytes: 0 },
    removePeer: (peerId) => {
      if (phase.name === 'idle') phase.ranges.delete(peerId)
      if (phase.name === 'done') phase.latePeers.delete(peerId)
      if (phase.name !== 'syncing') return
      phase.run.pool.removePeer(peerId, clock.monotonic())
      phase.run.advance()
    },
  }
}
