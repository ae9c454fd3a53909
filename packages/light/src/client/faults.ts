import { isLightFailure, LIGHT_ERRORS } from '../errors.ts'

const FAULTS_OF_PRIMARY: readonly string[] = [
  LIGHT_ERRORS.invalidHeader,
  LIGHT_ERRORS.invalidCommit,
  LIGHT_ERRORS.otherValidators,
  LIGHT_ERRORS.badBlock,
]

/**
 * True if the header has a time in the future. The clock of this machine may be wrong, so this is not a fault of a
 * provider.
 */
const isFromFuture = (error: unknown): boolean =>
  isLightFailure(error) && error.code === LIGHT_ERRORS.invalidHeader && error.data.fault === 'future'

/** True if the primary sent a wrong block. Then another provider may send the right block. */
export function isFaultOfPrimary(error: unknown): boolean {
  if (!isLightFailure(error)) return false
  const inner = error.code === LIGHT_ERRORS.verificationFailed ? error.cause : error
  return isLightFailure(inner) && FAULTS_OF_PRIMARY.includes(inner.code) && !isFromFuture(inner)
}
