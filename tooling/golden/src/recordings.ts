import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'

const root = new URL('../recordings/', import.meta.url)

/** Returns the path of the file of a recording. The file may be compressed, with `.gz` after its name. */
export function recordingPath(path: string): string {
  const plain = new URL(path, root).pathname
  if (existsSync(plain)) return plain
  if (existsSync(`${plain}.gz`)) return `${plain}.gz`
  throw new Error(`no recording ${path} in ${root.pathname}`)
}

/** Returns the bytes of a recording, such as `wal/wal`. */
export function recording(path: string): Uint8Array {
  const file = recordingPath(path)
  const stored = readFileSync(file)
  const bytes = file.endsWith('.gz') && !path.endsWith('.tar.gz') ? gunzipSync(stored) : stored
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

export function recordingText(path: string): string {
  return new TextDecoder().decode(recording(path))
}

export function recordingJson<T = unknown>(path: string): T {
  return JSON.parse(recordingText(path)) as T
}

/** Returns the parsed lines of a recording in a `.jsonl` file. */
export function recordingLines<T = unknown>(path: string): T[] {
  return recordingText(path)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}

/**
 * Unpacks a recorded home, such as `kvstore-single/home.tar.gz`, into `directory`. Makes this folder if it does not
 * exist.
 */
export async function unpackHome(path: string, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  await promisify(execFile)('tar', ['-xzf', recordingPath(path), '-C', directory])
}

/** The recordings that contain all keys and values of the databases of a node. */
export const STORE_DUMPS = [
  'kvstore-single/db-dump.jsonl',
  'kvstore-four/db-dump-node0.jsonl',
  'kvstore-four/db-dump-node3.jsonl',
  'e2e-voteext/db-dump-node0.jsonl',
  'e2e-voteext/db-dump-node1.jsonl',
  'e2e-voteext/db-dump-node2.jsonl',
] as const
