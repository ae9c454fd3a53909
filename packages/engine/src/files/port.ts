/** A file that is open for writing. */
export interface OpenFile {
  /** In bytes, when it was opened. */
  readonly size: number
  /** Writes the parts one after the other; returns how many bytes went, which may be fewer. Throws the system's error. */
  readonly write: (parts: readonly Uint8Array[]) => number
  /** Resolves when all that was written is on the disk. */
  readonly sync: () => Promise<void>
  readonly close: () => void
}

/**
 * The few things that the log and the signer do with files. Names and contents are durable apart: what was written is after the
 * file's `sync`, a name that is new, moved or gone is after `syncDirectory`. Errors are the system's (`code`, `syscall`).
 */
export interface Files {
  /** `undefined` if there is none. */
  readonly size: (path: string) => number | undefined
  /** The names in a directory, in no order. */
  readonly list: (directory: string) => readonly string[]
  readonly read: (path: string) => Uint8Array
  /** As `read`, without holding the event loop. */
  readonly load: (path: string) => Promise<Uint8Array>
  readonly makeDirectory: (path: string) => void
  /**
   * `append` writes behind what the file holds, and makes the file if there is none. `create` always makes a new file: it removes
   * what has that name before, also a symbolic link. Without `permissions` a new file is readable and writable by its owner only.
   */
  readonly open: (path: string, mode: 'append' | 'create', permissions?: number) => OpenFile
  /** Cuts the file off, durably. */
  readonly truncate: (path: string, size: number) => Promise<void>
  readonly copy: (from: string, to: string) => Promise<void>
  /** Takes the place of what is there. */
  readonly rename: (from: string, to: string) => Promise<void>
  readonly renameNow: (from: string, to: string) => void
  /** Does nothing if there is none. */
  readonly remove: (path: string) => void
  readonly syncDirectory: (path: string) => Promise<void>
}
