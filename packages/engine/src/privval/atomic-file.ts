import { closeSync, fsync, openSync, writeFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const fsyncAsync = promisify(fsync)

/**
 * Replaces a file whole: after a crash at any point it holds the old text or the new one, and after this the new one.
 * The new text does not take the old one's place before `after` has resolved, and never if that rejects.
 */
export async function writeFileAtomic(path: string, text: string, after?: Promise<unknown>): Promise<void> {
  const temporary = `${path}.tmp`
  try {
    // Before the rename: else the new name could outlive a crash that its text does not.
    const written = writeSynced(temporary, text)
    for (const outcome of await Promise.allSettled([after, written])) {
      if (outcome.status === 'rejected') throw outcome.reason
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncDirectory(dirname(path))
}

// Only what waits for the disk leaves this thread: every way there and back costs as much as a small write.
async function writeSynced(path: string, text: string): Promise<void> {
  const file = openSync(path, 'w', 0o600)
  try {
    writeFileSync(file, text)
    await fsyncAsync(file)
  } finally {
    closeSync(file)
  }
}

/** A rename is on disk once its folder is. */
async function syncDirectory(path: string): Promise<void> {
  const directory = openSync(path, 'r')
  try {
    await fsyncAsync(directory)
  } finally {
    closeSync(directory)
  }
}
