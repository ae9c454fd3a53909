import { Block } from '@org/types'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BlockPool, createBlockPool, DEFAULT_POOL_OPTIONS, type PooledBlock, type PoolOptions } from './index.ts'

const blockAt = (height: number, from: string, size = 1000, heap = size): PooledBlock => {
  const empty = Block.create({})
  return {
    block: { ...empty, header: { ...empty.header, height } },
    extCommit: undefined,
    size,
    blockSize: size,
    heap,
    from,
  }
}

function open(options: Partial<PoolOptions> = {}, start = 1): BlockPool {
  return createBlockPool({ ...DEFAULT_POOL_OPTIONS, ...options }, start)
}

const requested = (pool: BlockPool): [string, number][] =>
  pool
    .effects()
    .flatMap((effect): [string, number][] => (effect.type === 'request' ? [[effect.peerId, effect.height]] : []))

const dropped = (pool: BlockPool): string[] =>
  pool.effects().flatMap((effect) => (effect.type === 'drop' ? [`${effect.peerId}: ${effect.fault}`] : []))

describe('default', () => {
  test('blocks are requested in order from all peers that have them, and returned in order', () => {
    const pool = open({ firstPendingPerPeer: 3 })
    pool.setRange('a', { base: 1, height: 5 }, 0)
    pool.setRange('b', { base: 3, height: 100 }, 0)
    // Peer `a` has blocks up to 5. Peer `b` reported higher blocks, but cannot send block 1, which must be applied
    // first. The pool does not count the height of a peer that cannot send the next block. So no block above 5 is
    // requested.
    const requests = requested(pool)
    expect(requests.map(([, height]) => height)).toEqual([1, 2, 3, 4, 5])
    expect(requests.filter(([id]) => id === 'a').map(([, height]) => height)).toEqual([1, 2, 3])
    expect(pool.addBlock(blockAt(2, 'a'), 1)).toBe('added')
    expect(pool.peek(0)).toBe(undefined)
    expect(pool.addBlock(blockAt(1, 'a'), 1)).toBe('added')
    expect(pool.peek(0)?.block.header.height).toBe(1)
    pool.pop(1, false)
    expect([pool.height(), pool.peek(0)?.block.header.height]).toEqual([2, 2])
  })

  test('a peer that answers gets more requests, within the limits of blocks and bytes', () => {
    const pool = open({ firstPendingPerPeer: 2, maxPendingPerPeer: 4, maxBlocks: 6, maxBytes: 5_500 })
    pool.setRange('a', { base: 1, height: 1000 }, 0)
    expect(requested(pool).length).toBe(2)
    pool.addBlock(blockAt(1, 'a'), 1)
    expect(requested(pool)).toEqual([
      ['a', 3],
      ['a', 4],
    ])
    pool.addBlock(blockAt(2, 'a'), 1)
    // Two received blocks wait to be applied. The pool expects that these blocks and the three requested blocks take
    // 5,000 bytes, so it has no room for a sixth block.
    expect(requested(pool).map(([, height]) => height)).toEqual([5])
    for (const height of [3, 4, 5]) pool.addBlock(blockAt(height, 'a'), 2)
    expect(requested(pool)).toEqual([])
    pool.pop(3, false)
    expect(requested(pool).map(([, height]) => height)).toEqual([6])
  })
})

describe('behavior', () => {
  test('a block that is larger than the limit of waiting bytes is still requested', () => {
    const pool = open({ firstPendingPerPeer: 2, maxBytes: 500 })
    pool.setRange('a', { base: 1, height: 10 }, 0)
    for (let now = 1; now <= 20; now++) {
      for (const [, height] of requested(pool)) pool.addBlock(blockAt(height, 'a'), now)
      expect(pool.size()).toBeLessThanOrEqual(2)
      if (pool.peek(1) !== undefined) pool.pop(now, false)
    }
    expect(pool.height()).toBe(10)
  })

  test('large blocks wait up to the limit of memory, and the others are requested again later', () => {
    const pool = open({ firstPendingPerPeer: 20, maxBytes: 16_000 })
    pool.setRange('a', { base: 1, height: 20 }, 0)
    const asked: number[] = []
    const note = (): number[] => {
      const heights = requested(pool).map(([, height]) => height)
      asked.push(...heights)
      return heights
    }
    // The pool does not have the size of a block before it has received one. Until then it requests only 20 blocks.
    expect(note().length).toBe(20)
    // Each of these blocks takes 100 bytes on the wire, but 5,000 bytes of memory.
    const results = Array.from({ length: 20 }, (_, i) => pool.addBlock(blockAt(i + 1, 'a', 100, 5_000), 1))
    expect(results.filter((result) => result === 'added').length).toBe(3)
    expect(results.filter((result) => result === 'noRoom').length).toBe(17)
    expect(pool.hasRequests('a')).toBe(false)
    for (let now = 2; pool.peek(1) !== undefined && now < 100; now++) {
      pool.pop(now, false)
      for (const height of note()) expect(pool.addBlock(blockAt(height, 'a', 100, 5_000), now)).toBe('added')
    }
    expect(pool.height()).toBe(20)
    // No block was requested more than twice.
    for (let height = 1; height <= 20; height++) {
      expect(asked.filter((one) => one === height).length).toBeLessThanOrEqual(2)
    }
  })

  test('a block above the limit of memory is kept if it is one of the next two', () => {
    const pool = open({ firstPendingPerPeer: 4, maxBytes: 5_000 })
    pool.setRange('a', { base: 1, height: 4 }, 0)
    requested(pool)
    expect([4, 3, 2, 1].map((height) => pool.addBlock(blockAt(height, 'a', 100, 9_000), 1))).toEqual([
      'noRoom',
      'noRoom',
      'added',
      'added',
    ])
    expect(requested(pool)).toEqual([])
    pool.pop(2, false)
    expect(requested(pool)).toEqual([['a', 3]])
  })

  test('the node has caught up when all but the last two blocks are applied; peers whose blocks begin later do not count', () => {
    const pool = open({}, 10)
    expect(pool.isCaughtUp()).toBe(false)
    pool.setRange('new', { base: 0, height: 0 }, 0)
    expect(pool.isCaughtUp()).toBe(true)
    pool.setRange('a', { base: 1, height: 12 }, 0)
    expect([pool.maxPeerHeight(), pool.isCaughtUp()]).toEqual([12, false])
    pool.setRange('liar', { base: 900, height: 1000 }, 0)
    expect(pool.maxPeerHeight()).toBe(12)
    for (const height of [10, 11]) pool.addBlock(blockAt(height, 'a'), 1)
    pool.pop(1, false)
    expect(pool.isCaughtUp()).toBe(true)
  })

  test('peers that claim every height in turn and send nothing delay the end of block sync only for a limited time', () => {
    const pool = open({ claimsFor: 60_000 }, 10)
    const lastsUntil = (from: number, to: number): number => {
      for (let now = from; now < to; now += 100) {
        // The peer `liar` claims blocks that do not exist. It is dropped after 15 seconds, connects again with a new
        // id, and claims the same height.
        pool.setRange(`liar ${Math.floor(now / 15_000)}`, { base: 1, height: 1_000_000 }, now)
        pool.tick(now)
        pool.effects()
        if (pool.isCaughtUp()) return now
      }
      return to
    }
    pool.setRange('honest', { base: 1, height: 11 }, 0)
    expect(lastsUntil(0, 300_000)).toBe(60_000)
    // Unproven claims have delayed the end of block sync for the maximum time, so unproven claims no longer count. The
    // claim of a peer that delivers blocks still counts, because this claim is proven.
    pool.removePeer('liar 4', 300_000)
    pool.setRange('honest', { base: 1, height: 20 }, 300_000)
    expect(pool.addBlock(blockAt(10, 'honest'), 300_000)).toBe('added')
    pool.pop(300_000, false)
    expect(lastsUntil(300_000, 303_000)).toBe(303_000)
  })

  /**
   * The options of tests in which the limits of time are so long that no peer is dropped. In a real network, a dropped
   * peer could connect again with a new id. With these options, the tests need not simulate this.
   */
  const FOLLOWING = { claimsFor: 60_000, peerTimeout: 10_000_000, rateWindow: 10_000_000 } as const

  /**
   * Simulates a node at the end of a chain that makes a block per second. Returns the time at which block sync ends.
   */
  const followsUntil = (
    pool: BlockPool,
    {
      sender,
      isRecent,
      to,
    }: { readonly sender: string; readonly isRecent: (now: number) => boolean; readonly to: number },
  ): number => {
    for (let now = 0; now < to; now += 100) {
      pool.setRange('liar', { base: 1, height: 1_000_000 }, now)
      if (now % 1000 === 0) {
        const next = pool.height() + (pool.peek(0) === undefined ? 0 : 1)
        pool.setRange('honest', { base: 1, height: next }, now)
        pool.addBlock(blockAt(next, sender), now)
        if (pool.peek(1) !== undefined) pool.pop(now, isRecent(now))
      }
      pool.tick(now)
      pool.effects()
      if (pool.isCaughtUp()) return now
    }
    return to
  }

  test('a peer that delivers each new block and claims every height delays the end of block sync only for a limited time', () => {
    const pool = open(FOLLOWING, 10)
    const ends = followsUntil(pool, { sender: 'liar', isRecent: () => true, to: 300_000 })
    expect(ends).toBeGreaterThanOrEqual(60_000)
    expect(ends).toBeLessThan(65_000)
  })

  test('while the blocks are old, the claims of a peer that delivers them count', () => {
    const pool = open(FOLLOWING, 10)
    expect(followsUntil(pool, { sender: 'liar', isRecent: () => false, to: 300_000 })).toBe(300_000)
  })

  test('an applied block proves claims only for a limited time of waiting; time in which the next blocks are present does not count', () => {
    const pool = open({ claimsFor: 60_000, provenFor: 120_000, peerTimeout: 10_000_000, retryAfter: 10_000_000 }, 10)
    pool.setRange('liar', { base: 1, height: 1_000_000 }, 0)
    for (const height of [10, 11, 12]) pool.addBlock(blockAt(height, 'liar'), 0)
    pool.pop(0, false)
    const tickUntil = (from: number, to: number): number => {
      for (let now = from; now < to; now += 100) {
        pool.tick(now)
        if (pool.isCaughtUp()) return now
      }
      return to
    }
    // A block of the peer `liar` was applied, so the height that this peer claims counts as proven. The pool measures
    // how long it waits for missing blocks. When this time reaches `provenFor`, the height no longer counts as proven.
    // But the next two blocks are present, so the pool does not wait. Therefore block sync does not end.
    expect(tickUntil(0, 1_000_000)).toBe(1_000_000)
    pool.pop(1_000_000, false)
    const ends = tickUntil(1_000_000, 2_000_000)
    expect(ends).toBeGreaterThan(1_179_000)
    expect(ends).toBeLessThan(1_182_000)
  })

  test('blocks that a lost peer did not send are requested from others, and the blocks that it sent are kept', () => {
    const pool = open({ firstPendingPerPeer: 4 })
    pool.setRange('a', { base: 1, height: 4 }, 0)
    requested(pool)
    pool.addBlock(blockAt(1, 'a'), 1)
    pool.setRange('b', { base: 1, height: 4 }, 2)
    pool.removePeer('a', 3)
    expect(requested(pool)).toEqual([
      ['b', 2],
      ['b', 3],
      ['b', 4],
    ])
    expect(pool.peek(0)?.from).toBe('a')
  })

  test('a bad block bans its sender for a while, and all blocks of this sender are requested again', () => {
    const pool = open({ firstPendingPerPeer: 3, banFor: 60_000 })
    pool.setRange('a', { base: 1, height: 3 }, 0)
    for (const height of [1, 2, 3]) pool.addBlock(blockAt(height, 'a'), 1)
    requested(pool)
    expect(pool.heldFor('a')).toEqual({ items: 3, bytes: expect.any(Number) })
    pool.ban('a', 2)
    expect(pool.peek(0)).toBe(undefined)
    expect(pool.heldFor('a')).toEqual({ items: 0, bytes: 0 })
    pool.setRange('a', { base: 1, height: 3 }, 3)
    expect(pool.peerCount()).toBe(0)
    pool.setRange('b', { base: 1, height: 3 }, 4)
    expect(requested(pool).map(([, height]) => height)).toEqual([1, 2, 3])
    pool.tick(60_010)
    pool.setRange('a', { base: 1, height: 3 }, 60_011)
    expect([pool.peerCount(), dropped(pool)]).toEqual([1, ['b: silent']])
  })

  test.each([
    ['a base above its height', [{ base: 5, height: 4 }]],
    [
      'a height below the one that it reported',
      [
        { base: 1, height: 9 },
        { base: 1, height: 8 },
      ],
    ],
    [
      'a base below the one that it reported',
      [
        { base: 2, height: 9 },
        { base: 1, height: 9 },
      ],
    ],
  ])('a peer that reports %s is banned', (_what, ranges) => {
    const pool = open()
    for (const range of ranges) pool.setRange('a', range, 0)
    expect(pool.peerCount()).toBe(0)
    pool.setRange('a', { base: 1, height: 9 }, 1)
    expect(pool.peerCount()).toBe(0)
  })

  test('a silent peer is dropped only while it has open requests', () => {
    const pool = open()
    pool.setRange('a', { base: 1, height: 3 }, 0)
    pool.setRange('idle', { base: 50, height: 60 }, 0)
    requested(pool)
    pool.tick(14_999)
    expect(dropped(pool)).toEqual([])
    pool.tick(15_000)
    expect(dropped(pool)).toEqual(['a: silent'])
    expect(pool.peerCount()).toBe(1)
  })

  test('a slow peer is dropped if another peer has the blocks, and kept if it is the only peer', () => {
    for (const others of [0, 1]) {
      const pool = open({ peerTimeout: 60_000 })
      pool.setRange('slow', { base: 1, height: 1000 }, 0)
      for (let i = 0; i < others; i++) pool.setRange(`other${i}`, { base: 1, height: 1000 }, 0)
      const mine = requested(pool).filter(([id]) => id === 'slow')
      for (const [i, [, height]] of mine.slice(0, 5).entries()) pool.addBlock(blockAt(height, 'slow'), i * 1000)
      pool.tick(10_000)
      expect(dropped(pool)).toEqual(others === 0 ? [] : ['slow: slow'])
    }
  })

  test('a slow next block is requested from a second peer, and the later answer is not a fault', () => {
    const pool = open({ firstPendingPerPeer: 2 })
    pool.setRange('a', { base: 1, height: 2 }, 0)
    requested(pool)
    pool.setRange('b', { base: 1, height: 2 }, 1)
    pool.tick(1999)
    expect(requested(pool)).toEqual([])
    pool.tick(2000)
    expect(requested(pool)).toEqual([
      ['b', 1],
      ['b', 2],
    ])
    expect(pool.addBlock(blockAt(1, 'b'), 2100)).toBe('added')
    expect(pool.addBlock(blockAt(1, 'a'), 2200)).toBe('notNeeded')
    expect(pool.addBlock(blockAt(1, 'a'), 2300)).toBe('unrequested')
  })

  test('a request that could not be sent is repeated', () => {
    const pool = open({ peerTimeout: 100_000 })
    pool.setRange('a', { base: 1, height: 1 }, 0)
    requested(pool)
    pool.tick(30_000)
    expect(requested(pool)).toEqual([['a', 1]])
  })

  test('after a repeated request the second answer counts as late, and the third answer as not requested', () => {
    const pool = open()
    pool.setRange('a', { base: 1, height: 3 }, 0)
    requested(pool)
    // The peer sends two blocks in time, so it is not dropped. At 30 seconds its third block is overdue, and is
    // requested again.
    pool.addBlock(blockAt(1, 'a'), 14_000)
    pool.addBlock(blockAt(2, 'a'), 28_000)
    pool.tick(30_000)
    expect(requested(pool)).toEqual([['a', 3]])
    expect(pool.addBlock(blockAt(3, 'a'), 31_000)).toBe('added')
    expect(pool.hasRequests('a')).toBe(true)
    expect(pool.addBlock(blockAt(3, 'a'), 32_000)).toBe('notNeeded')
    expect(pool.hasRequests('a')).toBe(false)
    expect(pool.addBlock(blockAt(3, 'a'), 33_000)).toBe('unrequested')
  })

  test('a peer without the block is asked again later, and dropped after too many refusals', () => {
    const pool = open({ maxDeclines: 3 })
    pool.setRange('a', { base: 1, height: 1 }, 0)
    for (const [i, at] of [0, 1000].entries()) {
      expect(requested(pool)).toEqual([['a', 1]])
      pool.decline('a', 1, at)
      pool.tick(at + 999)
      expect(requested(pool)).toEqual([])
      pool.tick(at + 1000)
      expect(i).toBeLessThan(2)
    }
    pool.decline('a', 1, 2000)
    expect(dropped(pool)).toEqual(['a: lacksBlocks'])
  })

  test('reports of ranges begin at most one search for blocks to request per tick', () => {
    const pool = open()
    pool.setRange('a', { base: 1, height: 5 }, 0)
    expect(requested(pool).length).toBe(5)
    for (let height = 6; height <= 1000; height++) pool.setRange('a', { base: 1, height }, 1)
    expect(requested(pool)).toEqual([['a', 6]])
    pool.tick(2)
    expect(requested(pool).length).toBe(14)
    // When the new peer `b` reports its first range, a search for blocks to request begins at once.
    pool.setRange('b', { base: 1, height: 1000 }, 3)
    expect(requested(pool).length).toBe(20)
  })

  test('the refusals of a peer are forgotten when it leaves', () => {
    const pool = open()
    pool.setRange('a', { base: 1, height: 1 }, 0)
    expect(requested(pool)).toEqual([['a', 1]])
    pool.decline('a', 1, 1)
    expect(requested(pool)).toEqual([])
    pool.removePeer('a', 2)
    pool.setRange('a', { base: 1, height: 1 }, 2)
    expect(requested(pool)).toEqual([['a', 1]])
  })

  test('answers without a request are ignored', () => {
    const pool = open()
    expect(pool.addBlock(blockAt(1, 'stranger'), 0)).toBe('unrequested')
    pool.setRange('a', { base: 1, height: 3 }, 0)
    expect(pool.addBlock(blockAt(7, 'a'), 0)).toBe('unrequested')
    expect(pool.hasRequests('a')).toBe(true)
    expect(pool.hasRequests('stranger')).toBe(false)
  })
})

describe('property', () => {
  const events = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('answer' as const), pick: fc.nat(1000) }),
      fc.record({ kind: fc.constant('decline' as const), pick: fc.nat(1000) }),
      fc.record({ kind: fc.constant('leave' as const), pick: fc.nat(3) }),
      fc.record({ kind: fc.constant('join' as const), pick: fc.nat(3) }),
      fc.record({ kind: fc.constant('wait' as const), pick: fc.nat(3000) }),
      fc.record({ kind: fc.constant('bad' as const), pick: fc.nat(3) }),
    ),
    { maxLength: 200 },
  )

  test('with any peers, limits hold, no block is applied twice, and one honest peer is enough to finish', () => {
    fc.assert(
      fc.property(events, (list) => {
        const options = { firstPendingPerPeer: 3, maxPendingPerPeer: 6, maxBlocks: 20, maxDeclines: 1000 }
        const pool = open(options)
        const TOP = 40
        let now = 0
        let open_: [string, number][] = []
        const done: number[] = []
        const act = (): void => {
          for (const effect of pool.effects()) {
            if (effect.type === 'request') open_.push([effect.peerId, effect.height])
            else open_ = open_.filter(([id]) => id !== effect.peerId)
          }
          const perPeer = new Map<string, number>()
          for (const [id] of open_) perPeer.set(id, (perPeer.get(id) ?? 0) + 1)
          for (const count of perPeer.values()) expect(count).toBeLessThanOrEqual(6)
        }
        const apply = (): void => {
          while (pool.peek(0) !== undefined && pool.peek(1) !== undefined) {
            done.push(pool.height())
            pool.pop(now, false)
            act()
          }
        }
        const leave = (id: string): void => {
          pool.removePeer(id, now)
          open_ = open_.filter(([other]) => other !== id)
          act()
        }
        for (const { kind, pick } of list) {
          now += 1
          const [request] = open_.splice(
            pick % Math.max(open_.length, 1),
            kind === 'answer' || kind === 'decline' ? 1 : 0,
          )
          if (kind === 'answer' && request !== undefined) pool.addBlock(blockAt(request[1], request[0]), now)
          else if (kind === 'decline' && request !== undefined) pool.decline(request[0], request[1], now)
          else if (kind === 'leave') leave(`p${pick}`)
          else if (kind === 'join') pool.setRange(`p${pick}`, { base: 1, height: TOP }, now)
          else if (kind === 'wait') {
            now += pick
            pool.tick(now)
          } else if (kind === 'bad') {
            pool.ban(`p${pick}`, now)
            leave(`p${pick}`)
          }
          act()
          apply()
        }
        for (const id of ['p0', 'p1', 'p2', 'p3']) leave(id)
        pool.setRange('honest', { base: 1, height: TOP }, now)
        for (let i = 0; i < 500 && pool.height() < TOP; i++) {
          now += 1
          act()
          const [request] = open_.splice(0, 1)
          if (request === undefined) now += 1000
          if (request === undefined) pool.tick(now)
          else pool.addBlock(blockAt(request[1], request[0]), now)
          act()
          apply()
        }
        expect(done).toEqual(Array.from({ length: TOP - 1 }, (_, i) => i + 1))
      }),
      { numRuns: 300 },
    )
  })
})
