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
  /** The total bytes of the values in the application's state. */
  readonly stateBytes: number
  readonly validators: number
}

/** The size of one value in bytes. */
const VALUE_BYTES = 1024
const BATCH = 1024
/** The maximum number of heights between the snapshot and the newest block. */
const MAX_AGE = 500

/** Returns the height of the snapshot. */
const snapshotHeight = (heights: number): number => heights - Math.min(MAX_AGE, Math.floor(heights / 4))

/** Returns bytes that a database cannot compress. The same `seed` always gives the same bytes. */
const noise = (seed: string, length: number): Buffer =>
  createHash('shake256', { outputLength: length }).update(seed).digest()

/** Writes the initial state of the application. The keys ascend, so that the database does not have to merge files. */
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
      // This first call of `listSnapshots` makes the application begin the snapshot. The snapshot is written while
      // further blocks are executed.
      if (height === at) await listed()
    },
  })
  while (!(await listed())) await sleep(100)
  await app.close()
}
