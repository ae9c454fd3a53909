import type { Header } from '@org/types'
import { formatTime, type Time } from '@org/types/time'
import { LIGHT_ERRORS, lightError } from '../errors.ts'
import type { VerificationRules } from './rules.ts'

/** True if the trusting period (nanoseconds) of a header is over at `now`. */
export function isHeaderExpired(header: Pick<Header, 'time'>, trustingPeriod: bigint, now: Time): boolean {
  return header.time + trustingPeriod <= now
}

export function checkNotExpired(trusted: Header, { trustingPeriod, now }: VerificationRules): void {
  if (!isHeaderExpired(trusted, trustingPeriod, now)) return
  const expiredAt = trusted.time + trustingPeriod
  const message = `the trusted header at height ${trusted.height} expired at ${formatTime(expiredAt)} (now: ${formatTime(now)}): choose a newer height and hash to trust`
  throw lightError(LIGHT_ERRORS.expired, message, { data: { trustedHeight: trusted.height, expiredAt, now } })
}
