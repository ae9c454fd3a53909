import { type Commit, type Header, hashHeader, type ValidatorSet, type LightBlock as WireLightBlock } from '@org/types'
import { LIGHT_ERRORS, lightError } from '../errors.ts'

/** A header, the commit that signs it, and the validator set of its height. No part is missing. */
export interface LightBlock {
  readonly header: Header
  readonly commit: Commit
  readonly validators: ValidatorSet
}

/** The block's height. */
export const heightOf = ({ header }: Pick<LightBlock, 'header'>): number => header.height

/** The hash of the block's header: 32 bytes. */
export const hashOf = ({ header }: Pick<LightBlock, 'header'>): Uint8Array => hashHeader(header)

const incomplete = (missing: string): Error =>
  lightError(LIGHT_ERRORS.incomplete, `the light block has no ${missing}`, { data: { missing } })

/**
 * Returns the light block that a message contains. Throws {@link LightError} (`LIGHT_INCOMPLETE_BLOCK`) if a part is
 * missing.
 */
export function lightBlockFromWire({ signedHeader, validatorSet }: WireLightBlock): LightBlock {
  if (signedHeader?.header === undefined) throw incomplete('header')
  if (signedHeader.commit === undefined) throw incomplete('commit')
  if (validatorSet === undefined) throw incomplete('validator set')
  return { header: signedHeader.header, commit: signedHeader.commit, validators: validatorSet }
}

/** Returns a light block as the message that evidence and the store contain. */
export function lightBlockToWire({ header, commit, validators }: LightBlock): WireLightBlock {
  return { signedHeader: { header, commit }, validatorSet: validators }
}
