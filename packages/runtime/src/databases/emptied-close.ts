/** The part of a LevelDB that closing needs. */
export interface ClosableDatabase {
  readonly compactRange: (start: Uint8Array, end: Uint8Array) => Promise<void>
  readonly close: () => Promise<void>
}

/** The end of a database. */
export interface EmptiedClose {
  /** To be asked before each write. False once the closing has begun, because a later write would stay in the log. */
  readonly mayWrite: () => boolean
  /** Empties the log, if anything was written, and closes. Idempotent. Rejects as the database's `close`. */
  readonly close: () => Promise<void>
}

/** A range without keys: LevelDB only writes its log into a table, and merges no tables. */
const BEHIND_ALL = Uint8Array.of(0xff, 0xff, 0xff, 0xff)

/**
 * Closes a LevelDB so that Go's LevelDB can open it. Without this, the log may contain data that was written while a
 * table was made, with lower numbers than those in the manifest. Go's LevelDB treats such batches as corrupt, and
 * drops them without an error.
 */
export function createEmptiedClose(db: ClosableDatabase): EmptiedClose {
  let isWritten = false
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    // On a full disk the log is not emptied. This program can read it.
    if (isWritten) await db.compactRange(BEHIND_ALL, BEHIND_ALL).catch(() => undefined)
    await db.close()
  }

  return {
    mayWrite: () => {
      if (closing !== undefined) return false
      isWritten = true
      return true
    },
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
