/** A file that is open for writing. */
export interface OpenFile {
  /** The size of the file when it was opened, in bytes. */
  readonly size: number
  /**
   * Writes the parts one after the other. Returns the number of written bytes, which may be smaller than the total
   * length of the parts. Throws the system's error.
   */
  readonly write: (parts: readonly Uint8Array[]) => number
  /** Syncs the file. Resolves when all written bytes are on the disk. */
  readonly sync: () => Promise<void>
  readonly close: () => void
}

/**
 * The file operations of the WAL, the signer, the address book and state sync. The content of a file becomes durable by
 * the `sync` of this file. A new, changed or removed name becomes durable by `syncDirectory`. Errors are the system's
 * (`code`, `syscall`).
 */
export interface Files {
  /** Returns the size of the file in bytes; `undefined` if the file is missing. */
  readonly size: (path: string) => number | undefined
  /** Returns the names in a directory, in no particular order. */
  readonly list: (directory: string) => readonly string[]
  readonly read: (path: string) => Uint8Array
  /** Returns the content of a file as `read` does, but does not block the event loop. */
  readonly load: (path: string) => Promise<Uint8Array>
  readonly makeDirectory: (path: string) => void
  /** Removes a directory that is empty. Does nothing if it is missing or contains files. */
  readonly removeDirectory: (path: string) => void
  /**
   * Opens a file for writing. The mode `append` writes after the present content, and creates a missing file. The mode
   * `create` always makes a new file: it first removes any file or symbolic link of that name. Without `permissions`
   * only the owner may read and write a new file.
   */
  readonly open: (path: string, mode: 'append' | 'create', permissions?: number) => OpenFile
  /** Cuts a file to `size` bytes. Resolves when this is durable. */
  readonly truncate: (path: string, size: number) => Promise<void>
  readonly copy: (from: string, to: string) => Promise<void>
  /** Renames a file. If a file with the new name exists, it is replaced. */
  readonly rename: (from: string, to: string) => Promise<void>
  readonly renameNow: (from: string, to: string) => void
  /** Removes a file. Does nothing if the file is missing. */
  readonly remove: (path: string) => void
  readonly syncDirectory: (path: string) => Promise<void>
}
