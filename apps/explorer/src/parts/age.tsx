import type { Time } from '@org/types/time'
import { ageText, timeText } from '../format/times.ts'
import { nowMs } from '../live/clock.ts'

/** The age of a block. It grows while the page is open. */
export function Age({ time }: { readonly time: Time }) {
  return <time title={timeText(time)}>{ageText(time, nowMs.value)}</time>
}
