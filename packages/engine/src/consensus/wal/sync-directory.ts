import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes the names in the folder of `path` durable: a new file, or a rename. */
export async function syncDirectoryOf(path: string): Promise<void> {
  const directory = await open(dirname(path), 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
