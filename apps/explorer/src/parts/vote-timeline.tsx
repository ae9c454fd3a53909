import { durationText } from '../format/times.ts'
import type { SeenHeight } from '../live/consensus.ts'
import type { Voter } from './vote-cells.tsx'

const WIDTH = 640
const LEFT = 70
const ROW = 18
/** Rows that are drawn. */
const MOST = 40
/** The least time that the picture shows. */
const MIN_MS = 100

/** The votes of one height over time: a row for each validator, the first event of the height at the left. */
export function VoteTimeline({ seen, voters }: { readonly seen: SeenHeight; readonly voters: readonly Voter[] }) {
  const rows = voters.slice(0, MOST)
  const votes = seen.rounds.flatMap(({ votes: all }) => all)
  const last = Math.max(
    MIN_MS,
    seen.decidedMs ?? 0,
    votes.reduce((most, { atMs }) => Math.max(most, atMs), 0),
  )
  const x = (ms: number): number => LEFT + (Math.min(ms, last) / last) * (WIDTH - LEFT - 12)
  const rowOf = new Map(rows.map(({ address }, i) => [address, i]))
  const height = rows.length * ROW + 22
  const label = `Votes of height ${seen.height}: ${votes.length} votes in ${durationText(last)}`
  return (
    <svg class="timeline" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label}>
      <title>{label}</title>
      {rows.map(({ address }, i) => (
        <g key={address}>
          <path class="row" d={`M${LEFT} ${i * ROW + 10}H${WIDTH - 8}`} />
          <text x="0" y={i * ROW + 14}>
            {address.slice(0, 7)}
          </text>
        </g>
      ))}
      {seen.rounds.map(({ round, proposal, lockMs }) => (
        <g key={round}>
          {proposal === undefined ? null : <path class="proposal" d={`M${x(proposal.atMs)} 0V${height - 20}`} />}
          {lockMs === undefined ? null : <path class="lock" d={`M${x(lockMs)} 0V${height - 20}`} />}
        </g>
      ))}
      {seen.decidedMs === undefined ? null : <path class="decided" d={`M${x(seen.decidedMs)} 0V${height - 20}`} />}
      {votes.map(({ address, kind, hash, atMs }) => {
        const row = rowOf.get(address)
        if (row === undefined) return null
        const form = `${kind}${hash === '' ? ' nil' : ''}`
        return (
          <circle
            key={`${address}-${kind}-${atMs}`}
            class={form}
            cx={x(atMs)}
            cy={row * ROW + 10 + (kind === 'prevote' ? -2.5 : 2.5)}
            r="4"
          />
        )
      })}
      <text x={LEFT} y={height - 4}>
        0 ms
      </text>
      <text x={WIDTH - 8} y={height - 4} text-anchor="end">
        {durationText(last)}
      </text>
    </svg>
  )
}

/** Explains the picture. */
export function TimelineLegend() {
  return (
    <p class="legend timeline-legend">
      <span class="prevote">prevote</span>
      <span class="precommit">precommit</span>
      <span class="proposal">block complete</span>
      <span class="lock">locked</span>
      <span class="decided">decided</span>
    </p>
  )
}
