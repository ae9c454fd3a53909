import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openKvStore, openLevelStorage, type StorageOp } from '@org/kvstore'
import { noopLogger } from '@org/runtime'
import { utf8ToBytes } from '@org/types/bytes'
import { makeChain } from '../made-chain.ts'

export interface SnapshotChain {
  readonly heights: number
  /** The bytes of the values in the application's state. */
  readonly stateBytes: number
  readonly validators: number
}

/** The bytes of one value. */
const VALUE_BYTES = 1024
const BATCH = 1024
/** The age of the snapshot in heights. */
const MAX_AGE = 500

/** The height of the snapshot. */
export const snapshotHeight = (heights: number): number => heights - Math.min(MAX_AGE, Math.floor(heights / 4))

/** Bytes that a database cannot compress, the same for each `seed`. */
const noise = (seed: string, length: number): Buffer =>
  createHash('shake256', { outputLength: length }).update(seed).digest()

/** Writes the state that the chain begins with. Its keys ascend, so that the database has nothing to merge. */
async function fillState(folder: string, bytes: number): Promise<void> {
  const store = await openLevelStorage(join(folder, 'kvstore.db'))
  const pairs = Math.ceil(bytes / VALUE_BYTES)
  for (let first = 0; first < pairs; first += BATCH) {
    const count = Math.min(BATCH, pairs - first)
    const values = noise(`${first}`, count * VALUE_BYTES)
    const ops = Array.from(
      { length: count },
      (_, i): StorageOp => ({
        type: 'put',
        key: utf8ToBytes(`kvPairKey:filled-${String(first + i).padStart(10, '0')}`),
        value: values.subarray(i * VALUE_BYTES, (i + 1) * VALUE_BYTES),
      }),
    )
    await store.write(ops)
  }
  await store.close()
}

/** Makes a home with a chain, the state of its application, and one snapshot of this state. */
export async function makeSnapshotChain(
  home: string,
  { heights, stateBytes, validators }: SnapshotChain,
): Promise<void> {
  const data = join(home, 'application/data')
  await mkdir(data, { recursive: true })
  await fillState(data, stateBytes)
  const app = await openKvStore({ dir: data, logger: noopLogger, snapshots: { interval: heights } })
  const at = snapshotHeight(heights)
  const listed = async (): Promise<boolean> => (await app.listSnapshots({})).snapshots?.length === 1
  await makeChain(home, {
    ...{ validators, height: heights, blockBytes: 1000, app },
    onBlock: async (height) => {
      // The first list begins the snapshot, which is made while further blocks are executed.
      if (height === at) await listed()
    },
  })
  while (!(await listed())) await sleep(100)
  await app.close()
}
