import { dirname } from 'node:path'
import { utf8ToBytes } from '@org/types/bytes'
import { NODE_FILES } from './node-files.ts'
import type { Files, OpenFile } from './port.ts'

export interface WriteOptions {
  /** The new text replaces the old one only after this has resolved, and never if it rejects. */
  readonly after?: Promise<unknown> | undefined
  /** The file operations. Default: those of this machine. */
  readonly files?: Files | undefined
  /** The file's permissions. Default: its owner reads and writes it. */
  readonly permissions?: number | undefined
}

/**
 * Replaces a file as a whole: after a crash at any point it has the old or the new text; after this resolves, the new
 * one.
 */
export async function writeFileAtomic(
  path: string,
  text: string,
  { after, files = NODE_FILES, permissions }: WriteOptions = {},
): Promise<void> {
  const temporary = `${path}.tmp`
  try {
    // Synced before the rename: otherwise the new name could survive a crash without its text.
    const written = writeSynced(() => files.open(temporary, 'create', permissions), utf8ToBytes(text))
    for (const outcome of await Promise.allSettled([after, written])) {
      if (outcome.status === 'rejected') throw outcome.reason
    }
    await files.rename(temporary, path)
  } catch (error) {
    files.remove(temporary)
    throw error
  }
  // A rename is on disk once its folder is.
  await files.syncDirectory(dirname(path))
}

async function writeSynced(open: () => OpenFile, bytes: Uint8Array): Promise<void> {
  const file = open()
  try {
    for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(file.write([rest]))
    await file.sync()
  } finally {
    file.close()
  }
}
