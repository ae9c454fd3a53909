const UNITS: readonly (readonly [name: string, nanos: bigint])[] = [
  ['h', 3_600_000_000_000n],
  ['m', 60_000_000_000n],
]

function withFraction(nanos: bigint, unit: bigint, name: string): string {
  const digits = (nanos % unit).toString().padStart(unit.toString().length - 1, '0')
  let end = digits.length
  while (digits[end - 1] === '0') end--
  const fraction = digits.slice(0, end)
  return `${nanos / unit}${fraction === '' ? '' : `.${fraction}`}${name}`
}

/** Returns nanoseconds in the form in which Go's time.Duration shows them, such as `48h0m0s` or `1.5ms`. */
export function formatDuration(duration: bigint): string {
  if (duration === 0n) return '0s'
  const sign = duration < 0n ? '-' : ''
  let rest = duration < 0n ? -duration : duration
  if (rest < 1_000n) return `${sign}${rest}ns`
  if (rest < 1_000_000n) return sign + withFraction(rest, 1_000n, 'µs')
  if (rest < 1_000_000_000n) return sign + withFraction(rest, 1_000_000n, 'ms')
  let text = sign
  for (const [name, unit] of UNITS) {
    if (rest >= unit || text !== sign) text += `${rest / unit}${name}`
    rest %= unit
  }
  return text + withFraction(rest, 1_000_000_000n, 's')
}
