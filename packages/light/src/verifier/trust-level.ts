import type { Fraction } from '@org/types'
import { LIGHT_ERRORS, lightError } from '../errors.ts'

/**
 * The default trust level, one third. If validators with more than a third of the power signed, and less than a third
 * of the power is faulty, at least one correct validator signed.
 */
export const DEFAULT_TRUST_LEVEL: Fraction = { numerator: 1n, denominator: 3n }

/**
 * Throws {@link LightError} (`LIGHT_TRUST_LEVEL`) if the level is below 1/3 or above 1. With a level below 1/3, the
 * signatures of faulty validators alone could be enough.
 */
export function validateTrustLevel({ numerator, denominator }: Fraction): void {
  if (denominator > 0n && numerator * 3n >= denominator && numerator <= denominator) return
  const trustLevel = `${numerator}/${denominator}`
  throw lightError(LIGHT_ERRORS.trustLevel, `the trust level must be from 1/3 to 1, got ${trustLevel}`, {
    data: { trustLevel },
  })
}
