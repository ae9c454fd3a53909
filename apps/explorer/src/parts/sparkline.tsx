interface SparklineProps {
  readonly values: readonly number[]
  /** The name of the values and their unit, for screen readers. */
  readonly label: string
  readonly format: (value: number) => string
  readonly isBars?: boolean
}

const WIDTH = 300
const HEIGHT = 60

function linePath(values: readonly number[], most: number): string {
  const step = WIDTH / Math.max(1, values.length - 1)
  return values
    .map(
      (value, i) =>
        `${i === 0 ? 'M' : 'L'}${(i * step).toFixed(1)} ${(HEIGHT - 3 - (value / most) * (HEIGHT - 8)).toFixed(1)}`,
    )
    .join('')
}

function barsPath(values: readonly number[], most: number): string {
  const step = WIDTH / Math.max(1, values.length)
  return values
    .map((value, i) => {
      if (value === 0) return ''
      const height = Math.max(1, (value / most) * (HEIGHT - 6))
      return `M${(i * step).toFixed(1)} ${HEIGHT}v${(-height).toFixed(1)}h${(step * 0.72).toFixed(1)}v${height.toFixed(1)}z`
    })
    .join('')
}

/** Draws a small curve of a series of values. The newest value is at the right. */
export function Sparkline({ values, label, format, isBars = false }: SparklineProps) {
  if (values.length < 2) return <p class="dim spark-empty">Waiting for blocks …</p>
  const maximum = values.reduce((a, b) => Math.max(a, b), Number.MIN_VALUE)
  const minimum = values.reduce((a, b) => Math.min(a, b))
  const path = isBars ? barsPath(values, maximum) : linePath(values, maximum)
  return (
    <figure class="spark">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: from ${format(minimum)} to ${format(maximum)}`}
      >
        {isBars ? null : <path class="area" d={`${path}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} />}
        <path class={isBars ? 'bars' : 'line'} d={path} />
      </svg>
      <figcaption>
        <span>min {format(minimum)}</span>
        <span>max {format(maximum)}</span>
      </figcaption>
    </figure>
  )
}
