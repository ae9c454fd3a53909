import { dirname } from 'node:path'
import { utf8ToBytes } from '@org/types/bytes'
import { NODE_FILES } from './node-files.ts'
import type { Files, OpenFile } from './port.ts'

export interface WriteOptions {
  /**
   * The new text replaces the old text only after the promise `after` has resolved. If `after` rejects, the file keeps
   * the old text.
   */
  readonly after?: Promise<unknown> | undefined
  /** The file operations. Default: {@link NODE_FILES}. */
  readonly files?: Files | undefined
  /** The file's permissions. Default: only the owner of the file may read and write it. */
  readonly permissions?: number | undefined
}

/**
 * Replaces the whole text of a file. After a crash at any point the file has the old or the new text. When the promise
 * resolves, the new text is durable.
 */
export async function writeFileAtomic(
  path: string,
  text: string,
  { after, files = NODE_FILES, permissions }: WriteOptions = {},
): Promise<void> {
  const temporary = `${path}.tmp`
  try {
    // The text is synced before the rename. Otherwise the new name could survive a crash without the text.
    const written = writeSynced(() => files.open(temporary, 'create', permissions), utf8ToBytes(text))
    for (const outcome of await Promise.allSettled([after, written])) {
      if (outcome.status === 'rejected') throw outcome.reason
    }
    await files.rename(temporary, path)
  } catch (error) {
    files.remove(temporary)
    throw error
  }
  // The rename is durable only after a sync of the folder.
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
