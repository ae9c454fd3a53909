import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Logger, messageOf } from '@org/runtime'
import { Snapshot } from '@org/types/abci'
import { equalBytes } from '@org/types/bytes'
import { badSnapshot } from '../errors.ts'
import { removeAll, renameDurably, syncPath } from '../files.ts'
import { byHeight, type SnapshotArchive, type SnapshotWriter } from './archive.ts'
import { decodeMetadata, hashOfChunk, MAX_SNAPSHOT_BYTES, SNAPSHOT_FORMAT } from './format.ts'

/**
 * The folder of a snapshot that is being made, and the folder of a snapshot that is being removed. If the application
 * finds such a folder at its start, a crash has left the folder, and the application removes it.
 */
const MAKING = 'making'
const REMOVING = /^removing-\d{1,16}$/
const SNAPSHOT_NAME = /^snapshot-(\d{1,16})$/
const MANIFEST = 'manifest'

const isMissing = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENOENT'

interface Kept {
  readonly snapshot: Snapshot
  readonly chunkHashes: readonly Uint8Array[]
}

/** Reads the manifest of a snapshot; `undefined` if this version of the application cannot use the snapshot. */
async function readManifest(folder: string, height: number): Promise<Kept | undefined> {
  try {
    const snapshot = Snapshot.decode(new Uint8Array(await readFile(join(folder, MANIFEST))))
    const metadata = decodeMetadata(snapshot.metadata, snapshot.hash)
    const isUsable =
      snapshot.format === SNAPSHOT_FORMAT &&
      snapshot.height === height &&
      metadata?.chunkHashes.length === snapshot.chunks
    return isUsable && metadata !== undefined ? { snapshot, chunkHashes: metadata.chunkHashes } : undefined
  } catch {
    return undefined
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function listFolder(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/**
 * Opens the archive in a folder. Each snapshot has a folder of its own, with a file for each chunk and a manifest. The
 * folder of a snapshot gets its final name only when all its files are durable. Folders that a crash left are removed.
 * The folder of the archive is made with the first snapshot.
 */
export async function openFolderArchive(path: string, logger: Logger): Promise<SnapshotArchive> {
  const kept = new Map<number, Kept>()
  const nameOf = (height: number): string => join(path, `snapshot-${height}`)

  /**
   * Removes a snapshot in one step. If the process crashes during the removal, the archive later contains the complete
   * snapshot, or does not contain the snapshot.
   */
  async function removeFolder(height: number): Promise<void> {
    const removing = join(path, `removing-${height}`)
    await removeAll(removing)
    await rename(nameOf(height), removing).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
    await removeAll(removing)
  }

  for (const name of await listFolder(path)) {
    if (name === MAKING || REMOVING.test(name)) await removeAll(join(path, name))
    const height = SNAPSHOT_NAME.exec(name)?.[1]
    if (height === undefined) continue
    const found = await readManifest(join(path, name), Number(height))
    if (found === undefined) {
      logger.warn('Removed a snapshot that this version cannot read', { folder: join(path, name) })
      await removeAll(join(path, name))
    } else kept.set(Number(height), found)
  }

  async function remove(height: number): Promise<void> {
    if (kept.delete(height)) await removeFolder(height)
  }

  async function begin(): Promise<SnapshotWriter> {
    const folder = join(path, MAKING)
    await removeAll(folder)
    await mkdir(folder, { recursive: true })
    let chunks = 0
    return {
      add: (chunk) => writeDurably(join(folder, `chunk-${chunks++}`), chunk),
      finish: async (snapshot) => {
        const metadata = decodeMetadata(snapshot.metadata, snapshot.hash)
        if (metadata === undefined) throw badSnapshot('the metadata of the new snapshot is not valid')
        await writeDurably(join(folder, MANIFEST), Snapshot.encode(snapshot))
        await syncPath(folder)
        await removeAll(nameOf(snapshot.height))
        await renameDurably(folder, nameOf(snapshot.height))
        kept.set(snapshot.height, { snapshot, chunkHashes: metadata.chunkHashes })
      },
      abandon: () => removeAll(folder),
    }
  }

  return {
    maxBytes: MAX_SNAPSHOT_BYTES,
    list: () => [...kept.values()].map(({ snapshot }) => snapshot).sort(byHeight),
    chunk: async (height, index) => {
      const hash = kept.get(height)?.chunkHashes[index]
      if (hash === undefined) return undefined
      const file = join(nameOf(height), `chunk-${index}`)
      try {
        const bytes = new Uint8Array(await readFile(file))
        if (equalBytes(await hashOfChunk(bytes), hash)) return bytes
        throw badSnapshot('its bytes changed since it was written')
      } catch (error) {
        // Another request may have removed the snapshot while its file was read.
        if (!kept.has(height)) return undefined
        logger.error('Removed a snapshot because its chunk cannot be read', { file, error: messageOf(error) })
        await remove(height).catch(() => undefined)
        return undefined
      }
    },
    begin,
    remove,
  }
}
