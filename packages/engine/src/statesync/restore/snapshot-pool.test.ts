import type { Snapshot } from '@org/types/abci'
import { describe, expect, test } from 'vitest'
import { DEFAULT_RESTORE_OPTIONS } from './options.ts'
import { createSnapshotPool } from './snapshot-pool.ts'

const OPTIONS = DEFAULT_RESTORE_OPTIONS.pool
const snapshot = (height: number, more: Partial<Snapshot> = {}): Snapshot => ({
  ...{ height, format: 1, chunks: 3, hash: Uint8Array.of(1), metadata: new Uint8Array(0) },
  ...more,
})

function openPool(options: Partial<typeof OPTIONS> = {}) {
  const pool = createSnapshotPool({ ...OPTIONS, ...options })
  const best = (): readonly number[] => {
    const { height = 0, format = 0 } = pool.best() ?? {}
    return [height, format]
  }
  return { pool, best }
}

describe('the best snapshot', () => {
  test('default: the best snapshot has the greatest height, then the greatest format, then the most peers', () => {
    const { pool, best } = openPool()
    expect(pool.best()).toBeUndefined()
    for (const offer of [snapshot(1), snapshot(2), snapshot(2, { format: 2 }), snapshot(1, { format: 9 })]) {
      expect(pool.add('a', offer)).toEqual({ type: 'accept' })
    }
    expect(best()).toEqual([2, 2])
    const popular = snapshot(2, { format: 2, hash: Uint8Array.of(7) })
    pool.add('b', popular)
    pool.add('c', popular)
    expect(pool.best()).toEqual(popular)
    expect(pool.peersOf(popular)).toEqual(['b', 'c'])
  })

  test('behavior: after a failure the snapshots of other peers come first, at any height', () => {
    const { pool, best } = openPool()
    pool.add('a', snapshot(9))
    pool.add('a', snapshot(8))
    pool.add('b', snapshot(5))
    pool.failed(['a'])
    expect(best()).toEqual([5, 1])
    pool.removePeer('a')
    pool.add('a', snapshot(10))
    expect(best()).toEqual([5, 1])
    pool.failed(['b'])
    expect(best()).toEqual([10, 1])
    // Peer `a` has waited longer than peer `c`.
    pool.add('c', snapshot(4))
    expect(best()).toEqual([10, 1])
    pool.failed(['a'])
    expect(best()).toEqual([4, 1])
    // It is still the turn of peer `c`, and this peer now also offers snapshot 10. So `best` returns the highest
    // snapshot that peer `c` offers.
    pool.add('c', snapshot(10))
    expect(best()).toEqual([10, 1])
  })

  test('behavior: a peer that comes with a new id after each failure does not keep the others waiting', () => {
    const { pool, best } = openPool()
    pool.add('honest', snapshot(5))
    let tried = 0
    for (let id = 0; id < 100; id++) {
      pool.add(`liar ${id}`, snapshot(100 + id))
      if (best()[0] === 5) {
        tried++
        pool.failed(['honest'])
      } else pool.failed([`liar ${id}`])
      pool.removePeer(`liar ${id}`)
    }
    // After each failed attempt with a snapshot from a new peer id, `best` returns the snapshot of the peer `honest`.
    expect(tried).toBe(50)
    // A peer that comes late waits for at most one attempt with each peer that came before it.
    pool.add('liar', snapshot(300))
    pool.add('late', snapshot(6))
    pool.failed(['honest'])
    pool.failed(['liar'])
    pool.add('liar 101', snapshot(301))
    expect(best()).toEqual([6, 1])
  })

  test('behavior: snapshots that differ in one field are different snapshots', () => {
    const { pool } = openPool()
    const base = { hash: Uint8Array.of(1, 2), metadata: Uint8Array.of(3) }
    const all = [
      snapshot(1, base),
      snapshot(2, base),
      snapshot(1, { ...base, format: 2 }),
      snapshot(1, { ...base, chunks: 4 }),
      snapshot(1, { ...base, metadata: Uint8Array.of(4) }),
      // The bytes of hash and metadata together are 1, 2, 3, as in the first snapshot. But here the hash has one byte,
      // and in the first snapshot it has two bytes. So this must be a different snapshot.
      snapshot(1, { hash: Uint8Array.of(1), metadata: Uint8Array.of(2, 3) }),
    ]
    for (const offer of all) pool.add('a', offer)
    expect(pool.sizes().snapshots).toBe(all.length)
  })

  test('behavior: a snapshot that is put aside comes again after the next discovery', () => {
    const { pool, best } = openPool()
    pool.add('a', snapshot(2))
    pool.add('a', snapshot(1))
    expect(pool.postpone(snapshot(2))).toBe(1)
    expect(best()).toEqual([1, 1])
    pool.resume()
    expect(best()).toEqual([2, 1])
    expect(pool.postpone(snapshot(2))).toBe(2)
  })
})

describe('rejection', () => {
  test('default: a rejected snapshot, format or peer does not come back', () => {
    const { pool, best } = openPool()
    const offers = [snapshot(1), snapshot(2), snapshot(3, { format: 2 })]
    for (const offer of offers) pool.add('a', offer)
    pool.add('b', snapshot(4))
    pool.rejectFormat(2)
    expect(best()).toEqual([4, 1])
    pool.rejectPeer('b')
    expect(best()).toEqual([2, 1])
    pool.reject(snapshot(2))
    expect(best()).toEqual([1, 1])
    expect(pool.add('c', snapshot(9, { format: 2 }))).toMatchObject({ type: 'ignore' })
    expect(pool.add('b', snapshot(9))).toMatchObject({ type: 'ignore' })
    expect(pool.add('c', snapshot(2))).toMatchObject({ type: 'ignore' })
    expect(best()).toEqual([1, 1])
  })

  test('behavior: a snapshot stays while one peer offers it', () => {
    const { pool, best } = openPool()
    pool.add('a', snapshot(1))
    pool.add('b', snapshot(1))
    pool.removePeer('a')
    expect(best()).toEqual([1, 1])
    pool.withdraw('b', snapshot(1))
    expect([pool.best(), pool.sizes()]).toEqual([undefined, { snapshots: 0, bytes: 0, rejected: 0 }])
    // A peer that disconnected without being rejected may offer the same snapshot again.
    expect(pool.add('a', snapshot(1))).toEqual({ type: 'accept' })
  })

  test('limit: the lists of rejections are bounded', () => {
    const { pool } = openPool({ maxRejected: 5 })
    for (let i = 1; i <= 50; i++) {
      pool.reject(snapshot(i))
      pool.rejectFormat(i)
      pool.rejectPeer(`peer ${i}`)
    }
    expect(pool.sizes().rejected).toBe(15)
  })
})

describe('strangers', () => {
  test('limit: ten snapshots are kept of a peer that offers snapshots without end', () => {
    const { pool } = openPool()
    const receipts = Array.from({ length: 10_000 }, (_, i) => pool.add('a', snapshot(i + 1)).type)
    expect(receipts.filter((type) => type === 'accept').length).toBe(10)
    expect(pool.sizes().snapshots).toBe(10)
    pool.removePeer('a')
    expect(pool.sizes()).toEqual({ snapshots: 0, bytes: 0, rejected: 0 })
  })

  test('limit: the bytes of one peer are bounded, also if other peers offer the same snapshot', () => {
    const { pool } = openPool({ maxBytesPerPeer: 10_000 })
    const large = (height: number): Snapshot => snapshot(height, { metadata: new Uint8Array(4000) })
    for (let height = 1; height <= 4; height++) void pool.add('a', large(height))
    expect(pool.sizes().snapshots).toBe(1)
    expect(pool.add('b', large(1))).toEqual({ type: 'accept' })
    // A snapshot that two peers offer counts only once in the total.
    expect(pool.sizes().bytes).toBeLessThan(10_000)
    expect(pool.add('b', large(2))).toMatchObject({ type: 'ignore' })
  })

  test('limit: many peers together stay below the total, and the heaviest peer gives way to a light one', () => {
    const { pool, best } = openPool({ maxBytesPerPeer: 20_000, maxBytes: 50_000 })
    for (let peer = 0; peer < 30; peer++) {
      for (let i = 0; i < 10; i++) {
        pool.add(`liar ${peer}`, snapshot(100 + i, { hash: Uint8Array.of(peer), metadata: new Uint8Array(3000) }))
        expect(pool.sizes().bytes).toBeLessThanOrEqual(50_000)
      }
    }
    expect(pool.add('honest', snapshot(200))).toEqual({ type: 'accept' })
    expect(best()).toEqual([200, 1])
    expect(pool.sizes().bytes).toBeLessThanOrEqual(50_000)
  })

  test('behavior: the message with the snapshot is not kept', () => {
    const { pool } = openPool()
    const message = new Uint8Array(1_000_000).fill(5)
    pool.add('a', snapshot(1, { hash: message.subarray(0, 2), metadata: message.subarray(2, 4) }))
    const { hash, metadata } = pool.best() as Snapshot
    expect([hash.buffer.byteLength, metadata.buffer.byteLength]).toEqual([2, 2])
  })
})
