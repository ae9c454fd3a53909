import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Makes the content of a file, or the list of names in a folder, durable. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the contents of all files of a folder durable. Then makes the names of these files durable too. */
export async function syncFolder(path: string): Promise<void> {
  for (const name of await readdir(path)) await syncPath(join(path, name))
  await syncPath(path)
}

/** Gives a file or folder a new name, and makes the name durable. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncPath(dirname(to))
}

export const removeAll = (path: string): Promise<void> => rm(path, { recursive: true, force: true })

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return false
    throw error
  }
}
