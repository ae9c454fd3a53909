import { join } from 'node:path'
import { type Logger, messageOf } from '@org/runtime'
import type { Files } from '../../files/index.ts'
import { RESTORE_ERRORS, RestoreError } from './errors.ts'

const CHUNK_NAME = /^chunk-\d{1,10}$/

/**
 * The chunks of one snapshot on the disk, one file per chunk. The files are not synced: after a crash, the next start
 * removes them, so they need not be durable. The methods throw a `RestoreError` if the disk returns an error.
 */
export interface ChunkFolder {
  /** Removes the chunks that an earlier run of the node left, and makes the folder. */
  readonly open: () => void
  readonly write: (index: number, chunk: Uint8Array) => void
  /** Resolves with the chunk, or with `undefined` if another program has removed its file. */
  readonly read: (index: number) => Promise<Uint8Array | undefined>
  readonly remove: (index: number) => void
  /** Removes all chunks. */
  readonly empty: () => void
  /** Removes all chunks and the folder. */
  readonly close: () => void
}

/** Runs `remove` and logs its error. Files that cannot be removed now are removed at the next start. */
export function cleanUp(remove: () => void, logger: Logger): void {
  try {
    remove()
  } catch (error) {
    logger.error('Failed to clean up chunk queue', { err: messageOf(error) })
  }
}

const isMissing = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENOENT'

export function createChunkFolder(path: string, files: Files): ChunkFolder {
  const fileOf = (index: number): string => join(path, `chunk-${index}`)

  function failure(verb: string, cause: unknown): RestoreError {
    const message = `state sync could not ${verb} its temporary folder ${path} (${messageOf(cause)}): free disk space, check the permissions, or set statesync.temp_dir to another folder, and start the node again`
    return new RestoreError(RESTORE_ERRORS.folder, message, { cause, data: { folder: path } })
  }

  function attempt(verb: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      throw failure(verb, error)
    }
  }

  /** Returns the names of all files that contain chunks. Files with other names stay in the folder. */
  function leftovers(): readonly string[] {
    try {
      return files.list(path).filter((name) => CHUNK_NAME.test(name))
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  }

  function writeAll(index: number, chunk: Uint8Array): void {
    const file = files.open(fileOf(index), 'create')
    try {
      for (let rest = chunk; rest.length > 0; ) rest = rest.subarray(file.write([rest]))
    } finally {
      file.close()
    }
  }

  function empty(): void {
    attempt('empty', () => {
      for (const name of leftovers()) files.remove(join(path, name))
    })
  }

  return {
    open: () => {
      empty()
      attempt('create', () => files.makeDirectory(path))
    },
    write: (index, chunk) => {
      try {
        writeAll(index, chunk)
      } catch (error) {
        // Removes the incomplete file to free its space. If the removal fails too, the error of the write is reported.
        try {
          files.remove(fileOf(index))
        } catch {}
        throw failure('write to', error)
      }
    },
    read: async (index) => {
      try {
        return await files.load(fileOf(index))
      } catch (error) {
        if (isMissing(error)) return undefined
        throw failure('read', error)
      }
    },
    remove: (index) => attempt('empty', () => files.remove(fileOf(index))),
    empty,
    close: () => {
      empty()
      attempt('remove', () => files.removeDirectory(path))
    },
  }
}
