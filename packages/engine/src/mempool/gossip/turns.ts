import type { Clock } from '@org/runtime'

/** The maximum number of transactions that are checked between two readings of the clock. */
export const TURN_PIECE = 16

/**
 * The maximum number of milliseconds of one turn of the event loop that transactions of peers take. The piece at work
 * is finished.
 */
const SLICE_MS = 1
/** The part of the time that transactions of peers may take. */
const SHARE = 0.5
/** The part of the time that transactions of peers may take while this process works on a height. */
const SHARE_WHILE_BUSY = 0.25
/**
 * The maximum number of milliseconds that may be made up for when the timer of a turn fires late. A timer of 1 ms fires
 * after 1.2 to 1.7 ms, and later while the event loop is busy. Without this, the rate would be much lower than the
 * configured one.
 */
export const MAX_LATE_MS = 8

/** Transactions of one peer that are checked in pieces. */
export interface TxWork {
  /** The transactions of a piece, at most {@link TURN_PIECE}. */
  readonly count: number
  /** Checks the next piece. Returns true if another piece can follow at once. */
  readonly check: () => boolean
}

/** The place of one peer among those whose transactions are checked. */
export interface TxTurn {
  /**
   * Does the work at once if there is room and no peer waits, else returns a promise that resolves when the work is
   * done.
   */
  readonly take: (work: TxWork) => Promise<void> | undefined
}

/**
 * Shares the time for the transactions of peers. The waiting peer that had the least time is the next, so that a peer
 * whose transactions take long has no more time than another one.
 */
export interface TxTurns {
  readonly addPeer: () => TxTurn
}

export interface TxTurnsModules {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  /** Returns true while this process works on a height. */
  readonly isConsensusBusy: () => boolean
}

interface PeerTime {
  /**
   * The milliseconds that the peer has used. A new peer begins with the value of the other peers: with 0 it would be
   * served before them for a long time.
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
  const line: Waiting[] = []
  let lastLook = Number.NEGATIVE_INFINITY
  /** The milliseconds that may still be used. It is below 0 after a piece that took longer than the rest. */
  let room = 0
  /** Milliseconds that may be taken in this turn of the event loop. */
  let slice = SLICE_MS
  /**
   * The used milliseconds of the peer that was served last. A peer with a lower value is raised to it, so that it
   * cannot save up time that it did not use.
   */
  let fairTime = 0

  const hasRoom = (): boolean => room > 0 && slice > 0

  /**
   * Adds the time that has passed to the room. If no peer has waited, the room is at most one millisecond's share. So
   * transactions that come after a pause do not get the time of the pause.
   */
  function begin(hasWaited: boolean): void {
    const now = monotonic()
    const elapsed = now - lastLook
    // When the slice is used up, no more is checked in this turn of the event loop. The next peer waits, and its timer
    // begins the next slice.
    if (elapsed < 1 || (!hasWaited && slice <= 0)) return
    lastLook = now
    slice = SLICE_MS
    const share = isConsensusBusy() ? SHARE_WHILE_BUSY : SHARE
    room = Math.min(room + share * elapsed, share * (hasWaited ? MAX_LATE_MS : 1))
  }

  /** Returns true if another piece can follow. */
  function checkPiece(peer: PeerTime, { count, check }: TxWork): boolean {
    const from = monotonic()
    fairTime = Math.max(peer.spent, fairTime)
    const hasMore = check()
    const elapsed = monotonic() - from
    // A piece costs at least the time that keeps the rate of transactions below `perMs`.
    const cost = Math.max(elapsed, (count * SHARE) / perMs)
    slice -= elapsed
    room -= cost
    peer.spent = fairTime + cost
    return hasMore
  }

  function indexOfNext(): number {
    let next = 0
    line.forEach(({ peer }, index) => {
      if (peer.spent < (line[next]?.peer.spent ?? 0)) next = index
    })
    return next
  }

  function serve(): void {
    begin(true)
    while (line.length > 0 && hasRoom()) {
      const [next] = line.splice(indexOfNext(), 1)
      if (next === undefined) break
      if (checkPiece(next.peer, next.work)) line.push(next)
      else next.done()
    }
    if (line.length > 0) after(1, serve)
  }

  function wait(peer: PeerTime, work: TxWork): Promise<void> {
    peer.spent = Math.max(peer.spent, fairTime)
    const { promise, resolve } = Promise.withResolvers<void>()
    line.push({ peer, work, done: resolve })
    if (line.length === 1) after(1, serve)
    return promise
  }

  return {
    addPeer: () => {
      const peer: PeerTime = { spent: fairTime }
      return {
        take: (work) => {
          if (line.length > 0) return wait(peer, work)
          begin(false)
          while (hasRoom()) {
            if (!checkPiece(peer, work)) return undefined
          }
          return wait(peer, work)
        },
      }
    },
  }
}
