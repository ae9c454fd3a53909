import { createVirtualClock, nextTurn } from '@org/runtime'
import type { Snapshot } from '@org/types/abci'
import { expect, test } from 'vitest'
import { DEFAULT_RESTORE_OPTIONS } from './options.ts'
import { createSnapshotPool } from './snapshot-pool.ts'
import { waitForSnapshots } from './wait-for-snapshots.ts'

const DISCOVERY_MS = 15_000

const snapshotAt = (height: number): Snapshot => ({
  ...{ height, format: 1, chunks: 1 },
  ...{ hash: Uint8Array.of(1), metadata: new Uint8Array(0) },
})

/** Begins to wait. `advance` moves the clock forward in steps of 50 ms, and returns whether the wait is over. */
function startWait(areNamedConnected?: () => boolean) {
  const clock = createVirtualClock()
  const pool = createSnapshotPool(DEFAULT_RESTORE_OPTIONS.pool)
  const peers = areNamedConnected === undefined ? {} : { areNamedConnected }
  let isOver = false
  const wait = waitForSnapshots(DISCOVERY_MS, { pool, peers, clock }, new AbortController().signal)
  void wait.then(() => {
    isOver = true
  })
  const advance = async (ms: number): Promise<boolean> => {
    for (let left = ms; left > 0; left -= 50) {
      clock.advance(50)
      await nextTurn()
    }
    return isOver
  }
  return { pool, advance }
}

test('default: the wait takes the whole time if no peer is named', async () => {
  const { pool, advance } = startWait()
  pool.add('a', snapshotAt(1))
  expect([await advance(DISCOVERY_MS - 50), await advance(50)]).toEqual([false, true])
})

test('default: the wait ends a second after the last snapshot, when all named peers are connected', async () => {
  let isConnected = false
  const { pool, advance } = startWait(() => isConnected)
  pool.add('a', snapshotAt(1))
  expect(await advance(5000)).toBe(false)
  isConnected = true
  expect(await advance(750)).toBe(false)
  pool.add('b', snapshotAt(2))
  expect([await advance(1000), await advance(500)]).toEqual([false, true])
})

test('behavior: without a snapshot that can be used, the wait takes the whole time', async () => {
  const { pool, advance } = startWait(() => true)
  pool.add('a', snapshotAt(1))
  pool.postpone(snapshotAt(1))
  expect([await advance(DISCOVERY_MS - 50), await advance(50)]).toEqual([false, true])
})
