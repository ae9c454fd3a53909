import { formatTime, type Time } from '@org/types/time'

/** Formats a time as Go prints it: `2006-01-02 15:04:05.999 +0000 UTC`. */
export function formatGoTime(time: Time): string {
  return formatTime(time).replace('T', ' ').replace('Z', ' +0000 UTC')
}
