import { type Clock, createDeferred } from '@org/runtime'

/** The maximum number of transactions in one piece. The clock is read only between pieces. */
export const TURN_PIECE = 16

/**
 * The maximum number of milliseconds that the transactions of peers may take in one turn of the event loop. A piece
 * that has begun is finished even after this time.
 */
const MAX_TURN_MS = 1
/** The share of the processor time that the transactions of peers may take. */
const SHARE = 0.5
/**
 * The share of the processor time that the transactions of peers may take while consensus in this process works on a
 * height.
 */
const SHARE_WHILE_BUSY = 0.25
/**
 * The time, in milliseconds, after which an empty time budget is full. The budget is the time that the transactions of
 * all peers may take. It grows by a share of the time that passes, see {@link SHARE} and {@link SHARE_WHILE_BUSY}.
 * While peers wait, a timer of 1 ms refills the budget. This timer fires after 1.2 to 1.7 ms, and even later while the
 * event loop is busy. If the budget were full after 1 ms, far fewer transactions would be checked than the configured
 * rate allows.
 */
export const MAX_REFILL_MS = 8

/** A list of transactions that one peer sent. A turn checks a piece of the list, which is a few transactions. */
export interface TxWork {
  /** The number of transactions that one call of `check` checks, at most {@link TURN_PIECE}. */
  readonly count: number
  /**
   * Checks the next piece of the transactions that the peer sent. Returns true if another piece can be checked
   * immediately after it.
   */
  readonly check: () => boolean
}

/** Runs the checks of one peer's transactions when it is the peer's turn. */
export interface TxTurn {
  /**
   * Does the work immediately if there is time for it and no other peer waits, and returns `undefined`. Otherwise
   * returns a promise that resolves when the work is done.
   */
  readonly run: (work: TxWork) => Promise<void> | undefined
}

/**
 * Divides the processor time for transactions among the peers. The next peer is the waiting peer that has used the
 * least time. So a peer whose transactions take long gets no more time than another peer.
 */
export interface TxTurns {
  readonly addPeer: () => TxTurn
}

export interface TxTurnsModules {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  /** Returns true while consensus in this process works on a height. */
  readonly isConsensusBusy: () => boolean
}

interface PeerTime {
  /**
   * The processor time in milliseconds that the checks of this peer's transactions have taken. The waiting peer with
   * the lowest value is served next. A new peer begins with the value of the peer that was served last. With a first
   * value of 0, a new peer would be served before all other peers for a long time.
   */
  spent: number
}

interface Waiting {
  readonly peer: PeerTime
  readonly work: TxWork
  readonly onDone: () => void
}

export function createTxTurns(perMs: number, { clock, isConsensusBusy }: TxTurnsModules): TxTurns {
  const { monotonic, after } = clock
  const queue: Waiting[] = []
  let lastRefill = Number.NEGATIVE_INFINITY
  /**
   * The time budget of all peers together: the milliseconds that the checks of their transactions may take before the
   * next refill. The budget becomes negative if the check of a piece takes longer than the remaining time.
   */
  let budgetMs = 0
  /** The milliseconds that transactions may still take in this turn of the event loop. */
  let turnBudgetMs = MAX_TURN_MS
  /**
   * The processor time `spent` of the peer that was served last. Each peer with a lower value gets this value when it
   * has transactions again. So a peer cannot save processor time for later by being idle.
   */
  let fairTime = 0

  const hasBudget = (): boolean => budgetMs > 0 && turnBudgetMs > 0

  /**
   * Adds to `budgetMs` a share of the time since the last refill. The parameter `hasWaited` is true if peers wait in
   * the queue. If `hasWaited` is false, the new budget is at most 1 ms multiplied by this share. So a long time without
   * transactions does not give the peers a large budget.
   */
  function refillBudget(hasWaited: boolean): void {
    const now = monotonic()
    const elapsed = now - lastRefill
    // The budget is refilled at most once per millisecond. If no peer waits and `turnBudgetMs` is used up, the budget
    // is not refilled. The next transactions then wait until a timer calls `serve` in a later turn of the event loop.
    if (elapsed < 1 || (!hasWaited && turnBudgetMs <= 0)) return
    lastRefill = now
    turnBudgetMs = MAX_TURN_MS
    const share = isConsensusBusy() ? SHARE_WHILE_BUSY : SHARE
    budgetMs = Math.min(budgetMs + share * elapsed, share * (hasWaited ? MAX_REFILL_MS : 1))
  }

  /**
   * Checks one piece of the peer's transactions, and counts its time. Returns true if another piece can be checked
   * immediately after it.
   */
  function checkPiece(peer: PeerTime, { count, check }: TxWork): boolean {
    const from = monotonic()
    fairTime = Math.max(peer.spent, fairTime)
    const hasMore = check()
    const elapsed = monotonic() - from
    // Each piece costs the peer a minimum time, even if the function `check` took less time. The minimum time keeps the
    // rate of transactions at or below `perMs`.
    const cost = Math.max(elapsed, (count * SHARE) / perMs)
    turnBudgetMs -= elapsed
    budgetMs -= cost
    peer.spent = fairTime + cost
    return hasMore
  }

  function indexOfNext(): number {
    let next = 0
    queue.forEach(({ peer }, index) => {
      if (peer.spent < (queue[next]?.peer.spent ?? 0)) next = index
    })
    return next
  }

  function serve(): void {
    refillBudget(true)
    while (queue.length > 0 && hasBudget()) {
      const [next] = queue.splice(indexOfNext(), 1)
      if (next === undefined) break
      if (checkPiece(next.peer, next.work)) queue.push(next)
      else next.onDone()
    }
    if (queue.length > 0) after(1, serve)
  }

  function enqueue(peer: PeerTime, work: TxWork): Promise<void> {
    peer.spent = Math.max(peer.spent, fairTime)
    const { promise, resolve } = createDeferred<void>()
    queue.push({ peer, work, onDone: resolve })
    if (queue.length === 1) after(1, serve)
    return promise
  }

  return {
    addPeer: () => {
      const peer: PeerTime = { spent: fairTime }
      return {
        run: (work) => {
          if (queue.length > 0) return enqueue(peer, work)
          refillBudget(false)
          while (hasBudget()) {
            if (!checkPiece(peer, work)) return undefined
          }
          return enqueue(peer, work)
        },
      }
    },
  }
}
