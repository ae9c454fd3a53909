/** The names and the limits of the files of the WAL. The defaults are the reference's figures. */
export interface WalOptions {
  /** The head file, such as `data/cs.wal/wal`. */
  readonly path: string
  /** The head is renamed to `wal.000`, `wal.001`, … at this size in bytes. */
  readonly headSizeLimit: number
  /** The oldest files are removed when all files together reach this size in bytes. */
  readonly totalSizeLimit: number
  /** Milliseconds after which appended messages are synced if no caller has synced them. */
  readonly syncIntervalMs: number
}

/** The default options of the write-ahead log, without its path. */
export const DEFAULT_WAL_OPTIONS: Omit<WalOptions, 'path'> = {
  headSizeLimit: 10 * 1024 * 1024,
  totalSizeLimit: 1024 * 1024 * 1024,
  syncIntervalMs: 2000,
}

/** The maximum number of old WAL files that are removed each time a new head begins. */
export const MAX_FILES_TO_REMOVE = 4
