import { type Evidence, Vote } from '@org/types'
import { compactCopy, EMPTY_BYTES } from '@org/types/schema'
import { PAIR_BYTES_WITHOUT_EXTENSIONS } from './limits.ts'

export type Pair = readonly [Vote, Vote]

/**
 * Returns a copy of the vote without its extension. The vote's signature does not cover the extension, so the copy
 * still proves the fault. The copy does not keep the bytes of the vote's message in memory.
 */
function withoutExtension(vote: Vote): Vote {
  return compactCopy(Vote, { ...vote, extension: EMPTY_BYTES, extensionSignature: EMPTY_BYTES })
}

/** Returns the number of bytes of the two extensions. */
export const extensionBytes = ([voteA, voteB]: Pair): number => voteA.extension.length + voteB.extension.length

/** Returns the pair, without the extensions of the votes if their evidence would take more than `maxBytes`. */
export function fitted(pair: Pair, maxBytes: number): Pair {
  if (extensionBytes(pair) <= Math.max(0, maxBytes - PAIR_BYTES_WITHOUT_EXTENSIONS)) return pair
  return [withoutExtension(pair[0]), withoutExtension(pair[1])]
}

/**
 * Returns the evidence, without the extensions of its votes if it would take more than `maxBytes`. Evidence of other
 * kinds is returned unchanged.
 */
export function fittedEvidence(evidence: Evidence, maxBytes: number): Evidence {
  if (evidence.sum?.case !== 'duplicateVoteEvidence') return evidence
  const { value } = evidence.sum
  if (value.voteA === undefined || value.voteB === undefined) return evidence
  const given: Pair = [value.voteA, value.voteB]
  const pair = fitted(given, maxBytes)
  if (pair === given) return evidence
  return { ...evidence, sum: { case: 'duplicateVoteEvidence', value: { ...value, voteA: pair[0], voteB: pair[1] } } }
}
