import { dirname } from 'node:path'
import { type Clock, createLifecycle, type Logger, type Timer } from '@org/runtime'
import { fileErrorMessage } from '@org/runtime/errors'
import { createSlabs } from '@org/types/bytes'
import { TimedWalMessage } from '@org/types/messages'
import { type Files, NODE_FILES, type OpenFile } from '../../files/index.ts'
import { WAL_ERRORS, WalError } from './errors.ts'
import { filesOverLimit, indexedPath, listGroup } from './file-group.ts'
import { encodeFrame } from './frame.ts'
import { MAX_FILES_TO_REMOVE, type WalOptions } from './options.ts'
import { readTail } from './read-tail.ts'
import type { Wal, WalStore } from './wal.ts'

/** The size in bytes of a buffer that several short frames share until they are written. */
const FRAME_SLAB = 16_384

/** The clock, the logger and the file operations of a log in files. */
export interface FileWalModules {
  readonly clock: Clock
  readonly logger: Logger
  /** The file operations. Default: {@link NODE_FILES}, the file system of the computer. */
  readonly files?: Files
}

/** A WAL in a group of files. The files have the names and the format of the reference. */
export function createFileWal(options: WalOptions, given: FileWalModules): WalStore {
  const { path } = options
  const modules = { files: NODE_FILES, ...given }
  const { files } = modules
  return {
    open: (onFailure) =>
      guard(path, async () => {
        files.makeDirectory(dirname(path))
        if (isNew(path, files)) {
          const { wal } = createLog(options, modules)
          wal.append({ sum: { case: 'endHeight', value: { height: 0 } } }, modules.clock.now())
          await wal.close()
          await files.syncDirectory(dirname(path))
        }
        const tail = await readTail(path, modules)
        return { wal: createLog(options, { ...modules, onFailure }).wal, tail }
      }),
  }
}

function isNew(path: string, files: Files): boolean {
  if (listGroup(path, files).indexes.length > 0) return false
  return (files.size(path) ?? 0) === 0
}

async function guard<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    throw ioError(path, cause)
  }
}

function ioError(path: string, cause: unknown): unknown {
  if (cause instanceof WalError || !(cause instanceof Error) || !('syscall' in cause)) return cause
  return new WalError(WAL_ERRORS.io, `the WAL ${path} cannot be used: ${fileErrorMessage(cause)}`, {
    data: { path },
    cause,
  })
}

interface LogModules extends Required<FileWalModules> {
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/**
 * Opens the log. The function is long because its inner functions share the open file and the counts of appended and
 * synced messages.
 */
function createLog(options: WalOptions, { clock, logger, files, onFailure }: LogModules): { wal: Wal } {
  const { path } = options
  const bufferOf = createSlabs(FRAME_SLAB)
  let file = files.open(path, 'append')
  let size = file.size
  let buffered: Uint8Array[] = []
  /**
   * True if the log had content at the start. This content, and the name of the file, count as not synced. Both may be
   * only in the memory of the operating system, because the process that wrote them may have been killed before a sync.
   */
  let isFound = size > 0
  let appended = isFound ? 1 : 0
  let synced = 0
  let syncing: Promise<void> | undefined
  let timer: Timer | undefined
  let failure: unknown
  const life = createLifecycle({
    name: `the WAL ${path}`,
    stop: sync,
    close: () => {
      timer?.cancel()
      file.close()
    },
  })

  // After a failed write or sync, each later write or sync fails too: the content of the disk is unknown, and a
  // successful sync would not prove that all messages are durable.
  function checkFailure(): void {
    if (failure !== undefined) throw failure
  }

  function flush(): void {
    checkFailure()
    if (buffered.length === 0) return
    const frames = buffered
    buffered = []
    size += sizeOf(frames)
    try {
      writeAll(file, frames)
    } catch (cause) {
      failure = ioError(path, cause)
      throw failure
    }
  }

  async function syncNow(): Promise<void> {
    flush()
    const upTo = appended
    await file.sync()
    if (isFound) await files.syncDirectory(dirname(path))
    isFound = false
    synced = upTo
    if (size >= options.headSizeLimit) await beginNewHead()
  }

  async function beginNewHead(): Promise<void> {
    file.close()
    files.renameNow(path, indexedPath(path, listGroup(path, files).nextIndex))
    file = files.open(path, 'append')
    size = 0
    // A message in the new head is durable only after the name of the new head is durable.
    await files.syncDirectory(dirname(path))
    const limits = { limit: options.totalSizeLimit, maxFiles: MAX_FILES_TO_REMOVE }
    for (const old of filesOverLimit(path, limits, files)) {
      files.remove(old)
      logger.info('Removed an old WAL file', { path: old })
    }
  }

  async function sync(): Promise<void> {
    const wanted = appended
    timer?.cancel()
    timer = undefined
    while (synced < wanted) {
      checkFailure()
      syncing ??= guard(path, syncNow)
        .catch((error: unknown) => {
          failure ??= error
          throw error
        })
        .finally(() => {
          syncing = undefined
        })
      await syncing
    }
  }

  const wal: Wal = {
    append: (message, time) => {
      if (life.signal.aborted) throw new WalError(WAL_ERRORS.closed, `the WAL ${path} is closed`)
      checkFailure()
      buffered.push(encodeFrame(TimedWalMessage.encode({ time, msg: message }), bufferOf))
      appended++
      timer ??= clock.after(options.syncIntervalMs, () => {
        timer = undefined
        sync().catch((error: unknown) => {
          logger.error('Periodic WAL flush failed', { path, error })
          onFailure?.(error)
        })
      })
    },
    buffered: () => buffered.length,
    // A running sync may rename the head, so nothing is written in the meantime. The next flush or sync writes the
    // messages that were appended during this sync.
    flush: () => {
      if (syncing === undefined) flush()
    },
    sync,
    close: life.stop,
  }
  return { wal }
}

const sizeOf = (frames: readonly Uint8Array[]): number => frames.reduce((sum, frame) => sum + frame.length, 0)

/** Writes all frames. If the system wrote only a part of the bytes, the next write continues with the rest. */
function writeAll(file: Pick<OpenFile, 'write'>, frames: readonly Uint8Array[]): void {
  let remainingFrames = frames
  for (
    let remainingBytes = sizeOf(frames);
    remainingBytes > 0;
    remainingFrames = dropBytes(remainingFrames, sizeOf(remainingFrames) - remainingBytes)
  )
    remainingBytes -= file.write(remainingFrames)
}

function dropBytes(frames: readonly Uint8Array[], count: number): Uint8Array[] {
  let toSkip = count
  return frames.flatMap((frame) => {
    const skip = Math.min(toSkip, frame.length)
    toSkip -= skip
    return skip === frame.length ? [] : [frame.subarray(skip)]
  })
}
