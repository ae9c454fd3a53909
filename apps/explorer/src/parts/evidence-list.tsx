import type { Evidence } from '@org/types'
import { numberText } from '../format/numbers.ts'
import { timeText } from '../format/times.ts'
import { linkTo } from '../route.ts'
import { Hash } from './hash.tsx'
import { Facts } from './panel.tsx'

/** The maximum number of pieces of evidence that are shown. */
const MOST = 50

function Piece({ evidence }: { readonly evidence: Evidence }) {
  const { sum } = evidence
  if (sum?.case === 'duplicateVoteEvidence') {
    const { voteA, totalVotingPower, validatorPower, timestamp } = sum.value
    return (
      <Facts
        rows={[
          [
            'Kind',
            <span class="bad" key="kind">
              two votes in one round
            </span>,
          ],
          [
            'Validator',
            <Hash key="who" bytes={voteA?.validatorAddress ?? new Uint8Array()} name="the address of the validator" />,
          ],
          [
            'Height',
            <a key="height" href={linkTo('block', voteA?.height ?? 0)}>
              {numberText(voteA?.height ?? 0)}
            </a>,
          ],
          ['Power', `${numberText(validatorPower)} of ${numberText(totalVotingPower)}`],
          ['Time', timeText(timestamp)],
        ]}
      />
    )
  }
  if (sum?.case === 'lightClientAttackEvidence') {
    const { commonHeight, byzantineValidators, totalVotingPower, timestamp } = sum.value
    return (
      <Facts
        rows={[
          [
            'Kind',
            <span class="bad" key="kind">
              attack on light clients
            </span>,
          ],
          [
            'Common height',
            <a key="height" href={linkTo('block', commonHeight)}>
              {numberText(commonHeight)}
            </a>,
          ],
          ['Validators', numberText(byzantineValidators.length)],
          ['Power of all', numberText(totalVotingPower)],
          ['Time', timeText(timestamp)],
        ]}
      />
    )
  }
  return <p class="dim">Evidence of an unknown kind.</p>
}

export function EvidenceList({ evidence }: { readonly evidence: readonly Evidence[] }) {
  if (evidence.length === 0) return <p class="dim">No validator misbehaved.</p>
  return (
    <>
      {evidence.slice(0, MOST).map((piece, i) => (
        <Piece key={i} evidence={piece} />
      ))}
    </>
  )
}
