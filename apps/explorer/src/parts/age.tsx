import type { Time } from '@org/types/time'
import { ageText, timeText } from '../format/times.ts'
import { nowMs } from '../live/clock.ts'

/** Shows the age of a block. The age grows while the page is open. */
export function Age({ time }: { readonly time: Time }) {
  return <time title={timeText(time)}>{ageText(time, nowMs.value)}</time>
}
