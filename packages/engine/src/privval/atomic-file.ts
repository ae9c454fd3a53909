import { closeSync, fsync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const fsyncAsync = promisify(fsync)

/** Replaces a file whole: after a crash at any point it holds the old text or the new one, and after this the new one. */
export async function writeFileAtomic(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeFileSync(file, text)
    await fsyncAsync(file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  await syncDirectory(dirname(path))
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
