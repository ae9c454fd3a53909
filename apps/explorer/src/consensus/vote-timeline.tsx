import { signal } from '@preact/signals'
import { hexOf } from '../format/bytes.ts'
import { durationText, scaleOf } from '../format/times.ts'
import type { Validator } from '../live/validator-set.ts'
import type { SeenHeight, SeenRound, SeenVote } from './round-history.ts'

/**
 * The width of the picture on a large screen, and its width on a phone, in units of the SVG attribute `viewBox`. The
 * browser scales the picture to the width of the page. Each of the two numbers is near the real width in pixels. So the
 * scaling changes the size of the texts only a little, and the texts stay readable.
 */
const WIDTH = 640
const PHONE_WIDTH = 330
const LEFT = 70
const RIGHT = 12
const ROW = 18
/** The height of the time scale below the rows of the picture. */
const SCALE = 22
/** The maximum number of validators whose rows are drawn. */
const MOST = 40
/** The shortest time that the width of the picture represents, in milliseconds. */
const MIN_MS = 10

const phone = matchMedia('(max-width: 44rem)')
const width = signal(phone.matches ? PHONE_WIDTH : WIDTH)
phone.addEventListener('change', () => {
  width.value = phone.matches ? PHONE_WIDTH : WIDTH
})

/** Returns the horizontal position of a time in the picture. */
type Across = (ms: number) => number

interface MarksProps {
  readonly rounds: readonly SeenRound[]
  readonly decidedMs: number | undefined
  readonly across: Across
  readonly bottom: number
}

/**
 * Draws vertical lines through the rows of all validators. The lines show when the block became complete, when the node
 * locked a block, and when the node decided.
 */
function Marks({ rounds, decidedMs, across, bottom }: MarksProps) {
  const line = (kind: string, ms: number | undefined) =>
    ms === undefined ? null : <path class={kind} d={`M${across(ms)} 0V${bottom}`} />
  return (
    <>
      {rounds.map(({ round, proposal, lockMs }) => (
        <g key={round}>
          {line('proposal', proposal?.atMs)}
          {line('lock', lockMs)}
        </g>
      ))}
      {line('decided', decidedMs)}
    </>
  )
}

function Votes({
  votes,
  rows,
  across,
}: {
  readonly votes: readonly SeenVote[]
  readonly rows: number
  readonly across: Across
}) {
  return (
    <>
      {votes.map(({ validator, kind, hash, atMs }) =>
        atMs === undefined || !(validator < rows) ? null : (
          <circle
            key={`${validator}-${kind}-${atMs}`}
            class={`${kind}${hash === '' ? ' nil' : ''}`}
            cx={across(atMs)}
            cy={validator * ROW + 10 + (kind === 'prevote' ? -2.5 : 2.5)}
            r="4"
          />
        ),
      )}
    </>
  )
}

/** Returns the last moment that the picture shows, in milliseconds. */
function lastOf({ rounds, decidedMs }: SeenHeight, votes: readonly SeenVote[]): number {
  const marks = rounds.flatMap(({ proposal, lockMs }) => [proposal?.atMs, lockMs])
  return [decidedMs, ...marks, ...votes.map(({ atMs }) => atMs)].reduce<number>(
    (most, ms = 0) => Math.max(most, ms),
    MIN_MS,
  )
}

interface TimelineProps {
  readonly seen: SeenHeight
  readonly validators: readonly Validator[]
}

/** Draws the votes of one height over time, with a row for each validator. The first event is at the left. */
export function VoteTimeline({ seen, validators }: TimelineProps) {
  const rows = validators.slice(0, MOST)
  const votes = seen.rounds.flatMap(({ votes: all }) => all)
  const last = lastOf(seen, votes)
  const scale = scaleOf(last)
  const across: Across = (ms) => LEFT + (Math.min(ms, scale) / scale) * (width.value - LEFT - RIGHT)
  const bottom = rows.length * ROW + 2
  const label = `Votes of height ${seen.height}: ${votes.length} votes in ${durationText(last)}`
  return (
    <svg class="timeline" viewBox={`0 0 ${width.value} ${bottom + SCALE}`} role="img" aria-label={label}>
      <title>{label}</title>
      {rows.map(({ address }, i) => (
        <g key={hexOf(address)}>
          <path class="row" d={`M${LEFT} ${i * ROW + 10}H${width.value - 8}`} />
          <text x="0" y={i * ROW + 14}>
            {hexOf(address).slice(0, 8)}
          </text>
        </g>
      ))}
      <Marks rounds={seen.rounds} decidedMs={seen.decidedMs} across={across} bottom={bottom} />
      <Votes votes={votes} rows={rows.length} across={across} />
      <text x={LEFT} y={bottom + 16}>
        0 ms
      </text>
      <text x={width.value - 8} y={bottom + 16} text-anchor="end">
        {durationText(scale)}
      </text>
    </svg>
  )
}

/** Explains the colours and lines of the timeline. */
export function TimelineLegend() {
  return (
    <p class="legend timeline-legend">
      <span class="prevote">prevote</span>
      <span class="precommit">precommit</span>
      <span class="nil">vote for no block</span>
      <span class="proposal">block complete</span>
      <span class="lock">locked</span>
      <span class="decided">decided</span>
    </p>
  )
}
