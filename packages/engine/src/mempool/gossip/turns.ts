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
 * The peers together get a share of the time that has passed since the last turn. At most this number of milliseconds
 * of the passed time counts. A timer of 1 ms fires after 1.2 to 1.7 ms, and even later while the event loop is busy. If
 * only 1 ms counted, far fewer transactions would be checked than the configured rate allows.
 */
export const MAX_REFILL_MS = 8

/** A list of transactions that one peer sent. A turn checks a piece of the list, which is a few transactions. */
export interface TxWork {
  /** The number of transactions in a piece, at most {@link TURN_PIECE}. */
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
   * The milliseconds that the peer has used. A new peer begins with the value of the peer that was served last. If it
   * began with 0, it would be served before all other peers for a long time.
   */
  spent: number
}

interface Waiting {
  readonly peer: PeerTime
  readonly work: TxWork
  readonly done: () => void
}

export function createTxTurns(perMs: number, { clock, isConsensusBusy }: TxTurnsModules): TxTurns {
  const { monotonic, after } = clock
  const queue: Waiting[] = []
  let lastRefill = Number.NEGATIVE_INFINITY
  /**
   * The milliseconds that the transactions of all peers together may still use. The value becomes negative if the
   * check of some transactions takes longer than the remaining time.
   */
  let budgetMs = 0
  /** The milliseconds that transactions may still take in this turn of the event loop. */
  let turnBudgetMs = MAX_TURN_MS
  /**
   * The value of `spent` of the peer that was served last. Each peer with a lower value gets this value when it has
   * transactions again. So a peer cannot save time for later by being idle.
   */
  let fairTime = 0

  const hasBudget = (): boolean => budgetMs > 0 && turnBudgetMs > 0

  /**
   * Adds time to `budgetMs`: a share of the time that has passed since the last addition. If no peer was waiting during
   * that time, at most 1 ms of that time counts. So transactions that come after a pause cannot use the time of the
   * pause.
   */
  function refillBudget(hasWaited: boolean): void {
    const now = monotonic()
    const elapsed = now - lastRefill
    // Time is added at most once per millisecond. If no peer waits and `turnBudgetMs` is used up, no time is added. The
    // next transactions then wait until a timer calls `serve` in a later turn of the event loop.
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
    // A minimum time is charged for each piece of the transactions, even if the check took less. The minimum time keeps
    // the rate of transactions at or below `perMs`.
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
      else next.done()
    }
    if (queue.length > 0) after(1, serve)
  }

  function wait(peer: PeerTime, work: TxWork): Promise<void> {
    peer.spent = Math.max(peer.spent, fairTime)
    const { promise, resolve } = createDeferred<void>()
    queue.push({ peer, work, done: resolve })
    if (queue.length === 1) after(1, serve)
    return promise
  }

  return {
    addPeer: () => {
      const peer: PeerTime = { spent: fairTime }
      return {
        run: (work) => {
          if (queue.length > 0) return wait(peer, work)
          refillBudget(false)
          while (hasBudget()) {
            if (!checkPiece(peer, work)) return undefined
          }
          return wait(peer, work)
        },
      }
    },
  }
}
