import { describe, expect, test } from 'vitest'
import {
  defaultConsensusParams,
  formatDuration,
  isPubKeyTypeAllowed,
  updateConsensusParams,
  validateConsensusParams,
  validateParamsUpdate,
  voteExtensionsEnabled,
} from './index.ts'

const none = { block: undefined, evidence: undefined, validator: undefined, version: undefined, abci: undefined }

describe('consensus params', () => {
  test('default: an update changes only the groups that it holds', () => {
    const params = defaultConsensusParams()
    validateConsensusParams(params)
    expect(updateConsensusParams(params, undefined)).toEqual(params)
    expect(updateConsensusParams(params, none)).toEqual(params)
    const block = { maxBytes: 1n, maxGas: 2n }
    expect(updateConsensusParams(params, { ...none, block })).toEqual({ ...params, block })
    validateParamsUpdate(params, undefined, 1)
    validateParamsUpdate(params, none, 1)
    expect(isPubKeyTypeAllowed(params, 'ed25519')).toBe(true)
    expect(isPubKeyTypeAllowed(params, 'secp256k1')).toBe(false)
  })

  test('behavior: vote extensions are enabled from their height on', () => {
    const params = { ...defaultConsensusParams(), abci: { voteExtensionsEnableHeight: 5 } }
    expect([4, 5, 6].map((height) => voteExtensionsEnabled(params, height))).toEqual([false, true, true])
    expect(voteExtensionsEnabled(defaultConsensusParams(), 5)).toBe(false)
    expect(() => voteExtensionsEnabled(params, 0)).toThrow('for height 0 (< 1)')
  })

  test.each([
    [0n, '0s'],
    [1n, '1ns'],
    [1_100n, '1.1µs'],
    [2_200_000n, '2.2ms'],
    [3_300_000_000n, '3.3s'],
    [245_000_000_000n, '4m5s'],
    [18_367_001_000_000n, '5h6m7.001s'],
    [172_800_000_000_000n, '48h0m0s'],
    [-3_600_000_000_000n, '-1h0m0s'],
    [9_223_372_036_854_775_807n, '2562047h47m16.854775807s'],
  ])('default: %d nanoseconds are %s', (nanos, text) => {
    expect(formatDuration(nanos)).toBe(text)
  })
})
