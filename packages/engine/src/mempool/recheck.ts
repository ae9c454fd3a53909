import { type Clock, createDeferred, createTurns, type Logger, messageOf, type Timer } from '@org/runtime'
import { CheckTxType, type ResponseCheckTx } from '@org/types/abci'
import type { EntryList, MempoolEntry } from './entry-list.ts'
import type { MempoolApp } from './mempool.ts'
import type { MempoolMetrics } from './metrics.ts'

export interface Recheck {
  /**
   * Asks the application about every entry of the mempool again. Resolves when all requests were sent. The answers may
   * come later.
   */
  readonly run: () => Promise<void>
  readonly isActive: () => boolean
  /** Resolves when the application has answered all requests of the recheck, or when the timeout is over. */
  readonly whenDone: () => Promise<void>
}

export interface RecheckModules {
  readonly app: Pick<MempoolApp, 'checkTx' | 'flush'>
  readonly entries: EntryList
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: MempoolMetrics
  /** Called with each answer that comes before the recheck ends. */
  readonly onAnswer: (entry: MempoolEntry, response: ResponseCheckTx) => void
  readonly onDone: () => void
  /** Counts requests that the application has not answered. */
  readonly openRequests: { readonly begin: () => void; readonly end: () => void }
}

interface Round {
  pending: number
  allSent: boolean
  active: boolean
  timer: Timer | undefined
  readonly finished: Promise<void>
  readonly finish: () => void
}

/**
 * Creates the recheck of the mempool's entries. Only one recheck runs at a time: when a new recheck begins, an
 * unfinished recheck ends, and its further answers are ignored.
 */
export function createRecheck(options: { readonly timeout: number }, modules: RecheckModules): Recheck {
  const { app, entries, clock, logger, metrics, openRequests } = modules
  let current: Round | undefined

  function createRound(): Round {
    const { promise, resolve } = createDeferred<void>()
    return { pending: 0, allSent: false, active: true, timer: undefined, finished: promise, finish: resolve }
  }

  function end(round: Round): void {
    if (!round.active) return
    round.active = false
    round.timer?.cancel()
    if (current === round) current = undefined
    if (round.pending > 0) logger.error('not all txs were rechecked', { not_rechecked: round.pending })
    round.finish()
    modules.onDone()
  }

  function finish(round: Round, entry: MempoolEntry, response: ResponseCheckTx): void {
    openRequests.end()
    if (!round.active) {
      logger.error('rechecking has finished; discard late recheck response')
      return
    }
    round.pending--
    metrics.recheckTimes.add(1)
    // During the recheck, a flush or a removal by hash may have removed the entry. Then the answer is ignored.
    if (entries.get(entry.key) === entry) modules.onAnswer(entry, response)
    if (round.allSent && round.pending === 0) end(round)
  }

  function fail(round: Round, error: unknown): void {
    openRequests.end()
    if (round.active) logger.error('Recheck failed', { err: messageOf(error) })
    end(round)
  }

  function recheckEntry(round: Round, entry: MempoolEntry): void {
    try {
      const answer = app.checkTx({ tx: entry.tx, type: CheckTxType.recheck })
      if (answer instanceof Promise) {
        answer.then(
          (response) => finish(round, entry, response),
          (error: unknown) => fail(round, error),
        )
      } else finish(round, entry, answer)
    } catch (error) {
      fail(round, error)
    }
  }

  async function run(): Promise<void> {
    if (current !== undefined) end(current)
    if (entries.size() === 0) return modules.onDone()
    const round = createRound()
    current = round
    const turns = createTurns(clock)
    for (const entry of Array.from(entries)) {
      if (!round.active) return
      round.pending++
      openRequests.begin()
      recheckEntry(round, entry)
      if (turns.isDue()) await turns.take()
    }
    round.allSent = true
    app.flush().catch(() => undefined)
    if (!round.active) return
    if (round.pending === 0) return end(round)
    round.timer = clock.after(options.timeout, () => {
      logger.error('timed out waiting for recheck responses')
      end(round)
    })
  }

  return {
    run,
    isActive: () => current !== undefined,
    whenDone: () => current?.finished ?? Promise.resolve(),
  }
}
