import type { TimedWalMessage, WalMessage } from '@org/types/consensus'
import type { Time } from '@org/types/time'

/** The write-ahead log of consensus, at its end. */
export interface Wal {
  /** Adds a message. It is on disk after the next `sync`, or soon. Throws `WAL_TOO_BIG`, `WAL_CLOSED`. */
  readonly append: (message: WalMessage, time: Time) => void
  /** Messages that were appended and not handed over. */
  readonly buffered: () => number
  /** Hands what was appended to the operating system. Throws `WAL_IO`. */
  readonly flush: () => void
  /** Resolves once all that was appended before is on disk; no I/O if it is. Rejects with `WAL_IO`. */
  readonly sync: () => Promise<void>
  /** Syncs and closes. */
  readonly close: () => Promise<void>
}

/** What the log holds of the height that was not decided when it was written. */
export interface WalTail {
  /** The height of the last end-height mark; `undefined` if there is none. */
  readonly endHeight: number | undefined
  /** The messages behind that mark, or all. */
  readonly messages: readonly TimedWalMessage[]
}

export interface WalStore {
  /** Reads the tail and opens the log for appending. Throws `WAL_CORRUPTED`, `WAL_IO`. */
  readonly open: () => Promise<{ readonly wal: Wal; readonly tail: WalTail }>
}
