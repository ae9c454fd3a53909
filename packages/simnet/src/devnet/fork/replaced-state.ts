import {
  compareByPower,
  copyIncrementProposerPriority,
  createValidator,
  createValidatorSet,
  type State,
} from '@org/types'
import { addressOf, publicKeyOf } from '@org/types/crypto'
import { keyOf } from '../../node/index.ts'
import { DEVNET_ERRORS, DevnetError } from '../errors.ts'
import type { Replacement } from '../replacement.ts'

/**
 * Replaces the validators of a state. The `count` strongest validators keep their power and get keys of this process;
 * all other validators are removed. The validators of the last block do not change, because the next block contains
 * their commit. Throws `DEVNET_FORK_VALIDATORS`.
 */
export function replaceValidators(
  state: State,
  count: number,
): { readonly state: State; readonly replacements: readonly Replacement[] } {
  const { validators } = state.validators
  if (count > validators.length) {
    const message = `the chain has ${validators.length} validators, and each validator of a fork replaces one of them: give a number of validators from 1 to ${validators.length}`
    throw new DevnetError(DEVNET_ERRORS.forkValidators, message)
  }
  const strongest = validators.toSorted(compareByPower).slice(0, count)
  const replacements = strongest.map(
    ({ pubKey }, i): Replacement => ({
      original: pubKey,
      key: keyOf(`${state.chainId}/fork/${i}`),
    }),
  )
  const set = createValidatorSet(
    replacements.map(({ key }, i) => createValidator(publicKeyOf(key), strongest[i]?.votingPower ?? 1n)),
  )
  const replaced: State = {
    ...state,
    validators: set,
    nextValidators: copyIncrementProposerPriority(set, 1),
    // The height at which the validators changed last. The state store stores the complete validator set of this
    // height. Equal sets of later heights are stored as references to this height. As after state sync, this height is
    // two above the last block.
    lastHeightValidatorsChanged: state.lastBlockHeight + 2,
  }
  return { state: replaced, replacements }
}

/** Returns the addresses of the original key of a validator and of the key that replaces it. */
export function addressesOf({ original, key }: Replacement): {
  readonly original: Uint8Array
  readonly replacement: Uint8Array
} {
  return { original: addressOf(original), replacement: addressOf(publicKeyOf(key)) }
}
