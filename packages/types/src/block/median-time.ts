import { BLOCK_ERRORS, BlockError } from '../block-id/errors.ts'
import { BlockIdFlag } from '../block-id/id.ts'
import { bytesToHex } from '../bytes/index.ts'
import type { Commit } from '../commit/commit.ts'
import { type Time, ZERO_TIME } from '../time/index.ts'
import { validatorByAddress } from '../validators/set.ts'
import type { ValidatorSet } from '../validators/wire.ts'

/**
 * Returns the median of the times of the commit's votes, weighted by power. The next block gets this time. Throws
 * {@link BlockError} on a vote by a key that is not in the set.
 */
export function medianTime(commit: Commit, validators: ValidatorSet): Time {
  const votes: { readonly time: Time; readonly power: bigint }[] = []
  let total = 0n
  for (const { blockIdFlag, validatorAddress, timestamp } of commit.signatures) {
    if (blockIdFlag === BlockIdFlag.absent) continue
    const found = validatorByAddress(validators, validatorAddress)
    if (found === undefined) {
      const message = `commit validator not found in validator set: ${bytesToHex(validatorAddress)}`
      throw new BlockError(BLOCK_ERRORS.medianTime, message)
    }
    total += found.validator.votingPower
    votes.push({ time: timestamp, power: found.validator.votingPower })
  }
  votes.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
  let rest = total / 2n
  for (const { time, power } of votes) {
    if (rest <= power) return time
    rest -= power
  }
  return ZERO_TIME
}
