import type { TimedWalMessage, WalMessage } from '@org/types/messages'
import type { Time } from '@org/types/time'

/** The write-ahead log of consensus, open for appending. */
export interface Wal {
  /**
   * Appends a message. The message is on disk after the next call of `sync`. A log in files also syncs by itself after
   * `syncIntervalMs`. Throws `WAL_TOO_BIG`, `WAL_CLOSED`.
   */
  readonly append: (message: WalMessage, time: Time) => void
  /** The number of appended messages that are not written yet. */
  readonly buffered: () => number
  /** Writes appended messages to the operating system. Throws `WAL_IO`. */
  readonly flush: () => void
  /**
   * Resolves when all messages appended before this call are on disk. Does no I/O if they are on disk already. Rejects
   * with `WAL_IO`.
   */
  readonly sync: () => Promise<void>
  /** Syncs and closes the log. */
  readonly close: () => Promise<void>
}

/** The recorded messages of the height that was not decided when the node stopped. */
export interface WalTail {
  /** The height of the last end-height mark; `undefined` if there is none. */
  readonly endHeight: number | undefined
  /** The messages after the last end-height mark; all messages if there is no mark. */
  readonly messages: readonly TimedWalMessage[]
}

/** A write-ahead log that is not open yet. */
export interface WalStore {
  /**
   * Reads the tail and opens the log for appending. The log may begin a sync by itself. If such a sync fails,
   * `onFailure` is called, and the log cannot be used any more. Throws `WAL_CORRUPTED`, `WAL_IO`.
   */
  readonly open: (onFailure?: (error: unknown) => void) => Promise<{ readonly wal: Wal; readonly tail: WalTail }>
}
