/** The functions of a LevelDB that are needed to close it. */
export interface ClosableDatabase {
  readonly compactRange: (start: Uint8Array, end: Uint8Array) => Promise<void>
  readonly close: () => Promise<void>
}

/** Writes the log of a LevelDB into a table before the database closes, and refuses writes that come later. */
export interface DatabaseCloser {
  /**
   * Returns true if a write is allowed. Must be called before each write. Returns false after the closing has begun. A
   * later write would stay in the database's log, and the next start would have to read it from there.
   */
  readonly mayWrite: () => boolean
  /**
   * Makes LevelDB write the entries of its log into a table, if `mayWrite` has allowed a write. Then closes the
   * database. Further calls have no effect. Rejects as the database's `close` does.
   */
  readonly close: () => Promise<void>
}

/**
 * The start and the end of the range that is compacted. Before each compaction, LevelDB writes its log into a table,
 * and only this effect is wanted. The range has no keys, so LevelDB merges no tables.
 */
const AFTER_ALL_KEYS = Uint8Array.of(0xff, 0xff, 0xff, 0xff)

/**
 * Makes the functions that close a LevelDB so that Go's LevelDB can open it. LevelDB accepts writes while it writes its
 * log into a table. The sequence numbers of these writes can be lower than the last sequence number in the manifest. If
 * these writes are still in the log, Go's LevelDB treats them as corrupt, and drops them without an error. So the log
 * is emptied before the database closes.
 */
export function createDatabaseCloser(db: ClosableDatabase): DatabaseCloser {
  let isWritten = false
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    // On a full disk, LevelDB's log cannot be written into a table. The error is ignored, because Halley can read the
    // log at the next start.
    if (isWritten) await db.compactRange(AFTER_ALL_KEYS, AFTER_ALL_KEYS).catch(() => undefined)
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
