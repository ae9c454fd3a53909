import type { Pools } from '@org/engine'
import type { Clock, Logger, Timer } from '@org/runtime'
import { messageOf } from '@org/runtime'
import type { Progress } from '../chain/progress.ts'
import type { ReadWriteLock } from '../chain/read-write-lock.ts'
import type { Scheduler } from '../world/index.ts'
import type { DevnetClock } from './devnet-clock.ts'

/**
 * The maximum number of blocks that are made for one transaction. With several validators, one block may not be enough,
 * because the transaction must first reach the proposer.
 */
const MAX_BLOCKS_FOR_TX = 20

/**
 * Decides when the time of the chain advances: when a call requests blocks, when transactions wait, and at a fixed
 * interval.
 */
export interface Miner {
  readonly mine: (blocks: number, intervalMs?: number) => Promise<number>
  readonly setAutomine: (isOn: boolean) => void
  readonly setInterval: (ms: number) => void
  readonly settings: () => { readonly automine: boolean; readonly intervalMs: number }
  /**
   * With automine, makes blocks for the transactions that enter the mempool of this engine. To be called each time an
   * engine has begun.
   */
  readonly follow: (engine: Pick<Pools, 'mempool'>) => void
  readonly stop: () => void
}

export interface MinerModules extends Pick<Progress, 'until' | 'runDueWork'>, Pick<ReadWriteLock, 'runShared'> {
  readonly scheduler: Scheduler
  readonly engine: () => Pools
  readonly height: () => number
  /** Throws if the validators cannot make a block. */
  readonly checkMajority: () => void
  readonly clock: DevnetClock
  readonly real: Clock
  readonly logger: Logger
}

export function createMiner(modules: MinerModules): Miner {
  const { until, runDueWork, runShared, scheduler, engine, height, checkMajority, clock, real, logger } = modules
  const ended = new AbortController()
  let automine = false
  let everyMs = 0
  let timer: Timer | undefined
  /**
   * `due`: the work begins at the next turn of the event loop. `again`: more work was requested while the miner works.
   */
  let state: 'idle' | 'due' | 'working' | 'again' = 'idle'

  async function block(blocks: number): Promise<void> {
    const wanted = height() + blocks
    await until(() => height() >= wanted, 'block', blocks)
  }

  async function mine(blocks: number, intervalMs = 0): Promise<number> {
    return runShared(async () => {
      checkMajority()
      clock.sync()
      if (intervalMs === 0) await block(blocks)
      for (let left = intervalMs === 0 ? 0 : blocks; left > 0; left--) {
        clock.advance(intervalMs)
        await block(1)
      }
      await runDueWork()
      return height()
    })
  }

  /**
   * Makes blocks until no transaction waits. Stops after {@link MAX_BLOCKS_FOR_TX} blocks, because the application may
   * leave out a transaction.
   */
  async function mineTxs(): Promise<void> {
    for (let left = MAX_BLOCKS_FOR_TX; left > 0 && engine().mempool.size() > 0; left--) await mine(1)
  }

  function report(error: unknown): void {
    if (!ended.signal.aborted) logger.error('The devnet cannot make a block', { err: messageOf(error) })
  }

  /** Runs the work that is due now. Calls of the RPC wait for its end. */
  async function work(): Promise<void> {
    state = 'working'
    try {
      clock.sync()
      await runShared(runDueWork)
      if (automine && engine().mempool.size() > 0) await mineTxs()
    } catch (error) {
      report(error)
    } finally {
      const isDue = wasScheduled()
      state = 'idle'
      if (isDue) begin()
    }
  }

  const wasScheduled = (): boolean => state === 'again'

  function begin(): void {
    if (state === 'working') state = 'again'
    if (state !== 'idle' || ended.signal.aborted) return
    state = 'due'
    setImmediate(() => void work())
  }
  scheduler.onScheduled(begin, ended.signal)

  function tick(): void {
    const own = real.after(everyMs, () => {
      mine(1)
        .catch(report)
        .finally(() => {
          if (timer === own) tick()
        })
    })
    timer = own
  }

  return {
    mine,
    setAutomine: (isOn) => {
      automine = isOn
      if (isOn && engine().mempool.size() > 0) void mineTxs().catch(report)
    },
    setInterval: (ms) => {
      timer?.cancel()
      timer = undefined
      everyMs = ms
      if (ms > 0) tick()
    },
    settings: () => ({ automine, intervalMs: everyMs }),
    follow: ({ mempool }) => mempool.onEntry(begin, ended.signal),
    stop: () => {
      ended.abort()
      timer?.cancel()
    },
  }
}
