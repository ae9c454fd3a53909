import { createVirtualClock, type MetricDefinition, type Metrics } from '@org/runtime'
import { Block, BlockIdFlag, CommitSig, Vote } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { expect, test } from 'vitest'
import { makeFirstState } from '../../../test/support/first-state.ts'
import type { Call, RoundState } from '../machine/index.ts'
import { createConsensusMetrics } from './metrics.ts'

/**
 * Metrics that keep the present value of each series. The key of a series is its name without `consensus_`, followed by
 * its labels.
 */
function keptMetrics(): { readonly metrics: Metrics; readonly values: Map<string, number> } {
  const values = new Map<string, number>()
  const series =
    ({ name }: MetricDefinition, adds: boolean) =>
    (value = 1, labels: Readonly<Record<string, string>> = {}): void => {
      const key = [name.replace('consensus_', ''), ...Object.values(labels)].join(' ')
      values.set(key, value + (adds ? (values.get(key) ?? 0) : 0))
    }
  const metrics: Metrics = {
    counter: (definition) => ({ add: series(definition, true) }),
    gauge: (definition) => ({ set: series(definition, false), add: series(definition, true) }),
    histogram: () => ({ observe: () => undefined }),
  }
  return { metrics, values }
}

/**
 * Commits a block whose last commit has signatures of the validators at the positions `signed`, and whose evidence is
 * against the addresses that `offenders` returns. Returns the values of the metrics.
 */
function committed(signed: readonly number[], offenders: (addresses: readonly Uint8Array[]) => readonly Uint8Array[]) {
  const { state } = makeFirstState({ chainId: 'metrics', time: 0n, powers: [10n, 20n, 30n, 40n] })
  const set = state.validators
  const addresses = set.validators.map(({ address }) => address)
  const signatures = set.validators.map(({ address }, i) =>
    signed.includes(i)
      ? CommitSig.create({ blockIdFlag: BlockIdFlag.commit, validatorAddress: address })
      : CommitSig.create({ blockIdFlag: BlockIdFlag.absent }),
  )
  const block = Block.create({})
  const evidence = offenders(addresses).map((validatorAddress) => ({
    sum: { case: 'duplicateVoteEvidence', value: { voteA: Vote.create({ validatorAddress }), validatorPower: 7n } },
  }))
  const { metrics, values } = keptMetrics()
  const call = {
    type: 'commitBlock',
    block: {
      ...block,
      header: { ...block.header, height: 12 },
      lastCommit: { height: 11, round: 0, signatures },
      evidence: { evidence },
    },
    parts: { byteSize: 900 },
  }
  const own = {
    validators: set,
    lastValidators: set,
    signerAddress: addresses[1],
    votes: undefined,
    proposal: undefined,
  }
  createConsensusMetrics(metrics, createVirtualClock()).answered(
    call as unknown as Call,
    { type: 'commitBlock' } as never,
    own as unknown as RoundState,
  )
  const power = (i: number): number => Number(set.validators[i]?.votingPower)
  return { values, own: bytesToHex(addresses[1] as Uint8Array), power }
}

test('default: reports the signers of the last commit, and whether this node signed', () => {
  const { values, own, power } = committed([0, 1, 3], () => [])
  expect(Object.fromEntries(values)).toMatchObject({
    validators: 4,
    validators_power: 100,
    missing_validators: 1,
    missing_validators_power: power(2),
    [`validator_power ${own}`]: power(1),
    [`validator_last_signed_height ${own}`]: 12,
    byzantine_validators: 0,
    latest_block_height: 12,
    block_size_bytes: 900,
  })
  expect([...values.keys()].filter((key) => key.startsWith('validator_missed_blocks'))).toEqual([])
})

test('behavior: a block that this node missed counts under its own address', () => {
  const { values, own, power } = committed([0, 2, 3], () => [])
  expect([...values].filter(([key]) => /^validator_/.test(key))).toEqual([
    [`validator_power ${own}`, power(1)],
    [`validator_missed_blocks ${own}`, 1],
  ])
})

test('behavior: the power of double signers counts only if they are validators now', () => {
  const { values, power } = committed([0, 1, 2, 3], (all) => [all[0] as Uint8Array, new Uint8Array(20).fill(9)])
  expect([values.get('byzantine_validators'), values.get('byzantine_validators_power')]).toEqual([1, power(0)])
})
