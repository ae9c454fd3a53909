import { type Header, hashHeader, validateHeaderBasic } from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { formatTime } from '@org/types/time'
import type { HeaderFault, LightError } from '../errors.ts'
import { invalidHeader } from './new-header.ts'

/**
 * Verifies the header at the height below a trusted header, which contains the lower header's hash. The trusting period
 * does not matter, because no signature is verified.
 *
 * Throws {@link LightError} (`LIGHT_INVALID_HEADER`). Source: `VerifyBackwards` in the reference's `light/verifier.go`.
 * This function also refuses an empty hash; in the reference, the providers do so.
 */
export function verifyBackwards(header: Header, trusted: Header): void {
  const refuse = (fault: HeaderFault, message: string, cause?: unknown): LightError =>
    invalidHeader(trusted, header.height, { fault, message, cause })
  try {
    validateHeaderBasic(header)
  } catch (cause) {
    throw refuse('form', (cause as Error).message, cause)
  }
  if (header.chainId !== trusted.chainId) {
    const [got, want] = [header.chainId, trusted.chainId].map((id) => JSON.stringify(id))
    throw refuse('chain', `header belongs to another chain ${got}, not ${want}`)
  }
  if (header.time >= trusted.time) {
    const [time, newer] = [formatTime(header.time), formatTime(trusted.time)]
    throw refuse('time', `its time ${time} must be before the time ${newer} of the trusted header ${trusted.height}`)
  }
  const [hash, wanted] = [hashHeader(header), trusted.lastBlockId.hash]
  if (hash.length > 0 && equalBytes(hash, wanted)) return
  const [got, want] = [bytesToHex(hash), bytesToHex(wanted)]
  throw refuse(
    'hash',
    `its hash is ${got}, and the block before the trusted header ${trusted.height} has the hash ${want}`,
  )
}
