import { createVirtualClock, type LogFields, type Logger, noopLogger, noopMetrics } from '@org/runtime'
import { describe, expect, test } from 'vitest'
import { type HoldingPeer, memoryMeasures } from './measures.ts'
import { createMemoryReader } from './readings.ts'
import { createMemoryWatch } from './watch.ts'

const LIMIT = 1000 * 1024

/**
 * Starts to watch the memory of a node. The test sets the node's memory use, and the node has clients and peers that
 * hold memory.
 */
function start(held: { readonly clients: number; readonly caches: number; readonly peers: readonly HoldingPeer[] }) {
  const clock = createVirtualClock()
  const lines: string[] = []
  const log = (message: string, fields: LogFields = {}): void => void lines.push(`${message} ${fields.measure ?? ''}`)
  const logger: Logger = { ...noopLogger, warn: log, info: log }
  const use = { bytes: 0, garbage: 0, collections: 0 }
  const taken: string[] = []
  const measures = memoryMeasures({
    clients: {
      setShort: (isShort) => void taken.push(isShort ? 'refuse requests' : 'take requests'),
      closeLargest: (bytes) => {
        taken.push(`close clients ${bytes / 1024}`)
        return held.clients
      },
      dropCaches: () => {
        taken.push('drop caches')
        return held.caches
      },
    },
    peers: () => held.peers,
    closedPeer: ({ id }) => new Error(`closed ${id}`),
    mempool: { setShortOfMemory: (isShort) => void taken.push(isShort ? 'refuse transactions' : 'take transactions') },
  })
  const watch = createMemoryWatch({
    reader: {
      read: () => ({ heapUsed: use.bytes + use.garbage, heapLimit: LIMIT, processUsed: 0, processLimit: LIMIT }),
      collect: () => {
        use.garbage = 0
        use.collections++
      },
    },
    measures,
    clock,
    logger,
    metrics: noopMetrics,
  })
  watch.start()
  return { clock, lines, taken, use, watch }
}

const peer = (id: string, rank: number, kilobytes: number, closed: string[]): HoldingPeer => ({
  id,
  rank,
  heldBytes: kilobytes * 1024,
  close: ({ message }) => void closed.push(message),
})

describe('the watch over memory', () => {
  test('default: measures are taken in order until enough memory will be free, and end after the shortage', () => {
    const { clock, lines, taken, use } = start({ clients: 60 * 1024, caches: 200 * 1024, peers: [] })
    use.bytes = 0.9 * LIMIT
    clock.advance(100)
    expect(taken).toEqual(['refuse requests', 'close clients 200', 'drop caches'])
    expect(lines).toEqual([
      'The node is short of memory ',
      'Took an action against the shortage of memory refuse new requests from clients',
      'Took an action against the shortage of memory close the connections of the clients that hold the most memory',
      'Took an action against the shortage of memory remove the cached answers',
    ])
    use.bytes = 0.6 * LIMIT
    clock.advance(100)
    expect(taken.slice(3)).toEqual(['take requests', 'take transactions'])
    expect(lines.at(-1)).toBe('The node has enough memory again ')
  })

  test("behavior: unknown peers are dropped before the operator's own, and transactions are refused last", () => {
    const closed: string[] = []
    const all = [
      peer('unconditional', 3, 400, closed),
      peer('persistent', 2, 400, closed),
      peer('small', 0, 63, closed),
      peer('inbound', 0, 70, closed),
      peer('larger inbound', 0, 80, closed),
      peer('outbound', 1, 90, closed),
    ]
    let peers: readonly HoldingPeer[] = all
    const { clock, taken, use } = start({
      clients: 0,
      caches: 0,
      get peers() {
        return peers
      },
    })
    use.bytes = 0.9 * LIMIT
    clock.advance(100)
    expect(closed).toEqual(['closed larger inbound', 'closed inbound', 'closed outbound'])
    peers = all.filter(({ id }) => !closed.includes(`closed ${id}`))
    expect(taken).not.toContain('refuse transactions')
    use.bytes = LIMIT
    clock.advance(300)
    expect(closed.slice(3)).toEqual(['closed persistent'])
    const poor = start({ clients: 0, caches: 0, peers: [] })
    poor.use.bytes = 0.9 * LIMIT
    poor.clock.advance(100)
    expect(poor.taken.at(-1)).toBe('refuse transactions')
  })

  test('behavior: if a collection frees enough memory, no measure is taken', () => {
    const { clock, taken, use } = start({ clients: 0, caches: 0, peers: [] })
    use.bytes = 0.3 * LIMIT
    for (let i = 0; i < 3; i++) {
      use.garbage = 0.6 * LIMIT
      clock.advance(300)
    }
    expect([use.collections, taken]).toEqual([3, []])
  })

  test('behavior: a stopped watch takes no more readings', () => {
    const { clock, use, watch } = start({ clients: 0, caches: 0, peers: [] })
    watch.stop()
    expect(clock.pending()).toBe(0)
    use.bytes = LIMIT
    clock.advance(1000)
    expect(use.collections).toBe(0)
  })
})

describe('readings of this process', () => {
  test('default: memory outside of the heap counts, until a collection frees it', () => {
    const reader = createMemoryReader({ heapLimit: 2 ** 32, processLimit: 2 ** 40 })
    const megabyte = 2 ** 20
    const before = reader.read().processUsed
    let buffers: Uint8Array[] = Array.from({ length: 64 }, () => new Uint8Array(megabyte))
    expect(reader.read().processUsed - before).toBeGreaterThan(60 * megabyte)
    expect(buffers.length).toBe(64)
    buffers = []
    reader.collect()
    expect(reader.read().processUsed - before).toBeLessThan(30 * megabyte)
  })
})
