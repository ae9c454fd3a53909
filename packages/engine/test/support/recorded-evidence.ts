import { recordingJson } from '@org/golden'
import { type DuplicateVoteEvidence, Evidence } from '@org/types'
import type { Json } from '@org/types/schema'

/** Returns the evidence of the double sign in the recorded network. */
export function recordedEvidence(): Evidence & {
  sum: { case: 'duplicateVoteEvidence'; value: DuplicateVoteEvidence }
} {
  const evidence = Evidence.fromJson(recordingJson<Json>('kvstore-four/evidence.json'))
  if (evidence.sum?.case !== 'duplicateVoteEvidence') throw new Error('the recording holds other evidence')
  return { ...evidence, sum: evidence.sum }
}
