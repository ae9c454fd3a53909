import { describe, expect, test } from 'vitest'
import { resolveConfig, SECTIONS } from '../config/index.ts'
import { heapLimit, memoryLimit } from './limit.ts'
import { clientShares, excessiveKeys, withFittingMempool } from './shares.ts'

const GIB = 2 ** 30
const { config } = resolveConfig({ home: '/nowhere' })

describe('the memory that a node may use', () => {
  test('default: the limit is three quarters of the memory of the machine or of its control group, or the configured limit', () => {
    expect(memoryLimit(0, { totalBytes: 8 * GIB, constrainedBytes: 2 ** 64 })).toBe(6 * GIB)
    expect(memoryLimit(0, { totalBytes: 8 * GIB, constrainedBytes: 0 })).toBe(6 * GIB)
    expect(memoryLimit(0, { totalBytes: 8 * GIB, constrainedBytes: GIB })).toBe(0.75 * GIB)
    expect(memoryLimit(123, { totalBytes: 8 * GIB, constrainedBytes: GIB })).toBe(123)
  })

  test("default: the limit of the heap is the launcher's, or else V8's", () => {
    expect(heapLimit(['--max-old-space-size=64', '--no-warnings', '--max_old_space_size=96'])).toBe(96 * 2 ** 20)
    expect(heapLimit([])).toBeGreaterThan(64 * 2 ** 20)
  })

  test('default: all defaults fit a machine of 8 GiB', () => {
    const limits = { heapLimit: GIB, processLimit: 6 * GIB }
    expect(excessiveKeys(limits, config)).toEqual([])
    expect(withFittingMempool(limits, config)).toEqual(config)
    expect(clientShares(limits, config)).toEqual({ maxRequestsBytes: GIB / 16, maxUnreadBytes: GIB / 4 })
  })

  test('behavior: on a small machine the limit is lower, and the log names the keys that allow more with values that fit', () => {
    const limits = { heapLimit: GIB / 4, processLimit: 0.75 * GIB }
    expect(withFittingMempool(limits, config).mempool.maxTxsBytes).toBe((0.75 * GIB) / 4)
    expect(clientShares(limits, config)).toEqual({ maxRequestsBytes: GIB / 64, maxUnreadBytes: (0.75 * GIB) / 8 })
    const flags = new Map([['rpc.max_body_bytes', '100000000']])
    const large = resolveConfig({ home: '/nowhere', flags }).config
    expect(excessiveKeys(limits, large)).toEqual([
      { key: 'mempool.max_txs_bytes', configured: GIB, usual: GIB, fits: (0.75 * GIB) / 4 },
      {
        key: 'rpc.max_body_bytes',
        configured: 100_000_000,
        usual: SECTIONS.rpc.max_body_bytes.fallback,
        fits: GIB / 64,
      },
    ])
  })
})
