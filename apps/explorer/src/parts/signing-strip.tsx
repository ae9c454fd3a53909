import { KEPT_BLOCKS } from '../live/chain.ts'
import type { Mark } from '../live/signing.ts'

const STEP = 3
const HEIGHT = 18

/**
 * The position and the height of each kind of mark. The shapes differ, so that a user who cannot distinguish the
 * colours can distinguish the marks.
 */
const SHAPES: Readonly<Record<Exclude<Mark, 'loading'>, readonly [top: number, height: number]>> = {
  signed: [1, 16],
  nil: [7, 10],
  missed: [13, 4],
  other: [8, 2],
}

interface StripProps {
  /** The marks of one validator, one for each block, the newest block first. */
  readonly marks: readonly Mark[]
  readonly isShort?: boolean
}

/** Draws the strip of one validator: a mark for each of the last blocks, with the newest block at the right. */
export function SigningStrip({ marks, isShort = false }: StripProps) {
  const paths: Record<string, string> = {}
  const counts: Record<string, number> = {}
  for (const [i, mark] of marks.entries()) {
    if (mark === 'loading') continue
    const [top, height] = SHAPES[mark]
    counts[mark] = (counts[mark] ?? 0) + 1
    paths[mark] = `${paths[mark] ?? ''}M${(KEPT_BLOCKS - 1 - i) * STEP} ${top}h2v${height}h-2z`
  }
  const label = `signed ${counts.signed ?? 0}, nil ${counts.nil ?? 0}, missed ${counts.missed ?? 0} of the last ${marks.length} blocks`
  return (
    <svg
      class={isShort ? 'strip short' : 'strip'}
      viewBox={`0 0 ${KEPT_BLOCKS * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {Object.entries(paths).map(([mark, path]) => (
        <path key={mark} class={mark} d={path} />
      ))}
    </svg>
  )
}

/** Explains the marks of the strips. */
export function StripLegend() {
  return (
    <p class="legend">
      <span class="signed">signed</span>
      <span class="nil">voted for no block</span>
      <span class="missed">did not sign</span>
      <span class="other">other validator set</span>
    </p>
  )
}
