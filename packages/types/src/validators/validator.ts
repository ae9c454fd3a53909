import type { ValidatorUpdate } from '../abci/index.ts'
import { bytesToHex, equalBytes } from '../bytes/index.ts'
import { formatPublicKey } from '../crypto/format.ts'
import { addressOf } from '../crypto/keys.ts'
import type { PublicKey } from '../crypto/wire.ts'
import { VALIDATOR_ERRORS, ValidatorError } from './errors.ts'
import { SimpleValidator, type Validator } from './wire.ts'

/** Makes a validator with the address of its key and a proposer priority of 0. */
export function createValidator(pubKey: PublicKey, votingPower: bigint): Validator {
  return { address: addressOf(pubKey), pubKey, votingPower, proposerPriority: 0n }
}

/** Returns the bytes of a validator from which a set's hash is made: its key and its power. */
export function validatorBytes(validator: Validator): Uint8Array {
  return SimpleValidator.encode({ pubKey: validator.pubKey, votingPower: validator.votingPower })
}

/** Throws {@link ValidatorError} on a validator that is not well formed. */
export function validateValidatorBasic(validator: Validator | undefined): void {
  if (validator === undefined) throw new ValidatorError(VALIDATOR_ERRORS.validator, 'nil validator')
  if (validator.pubKey.bytes.length === 0) {
    throw new ValidatorError(VALIDATOR_ERRORS.validator, 'validator does not have a public key')
  }
  if (validator.votingPower < 0n) {
    throw new ValidatorError(VALIDATOR_ERRORS.validator, 'validator has negative voting power')
  }
  const address = addressOf(validator.pubKey)
  if (!equalBytes(validator.address, address)) {
    const [want, got] = [bytesToHex(address), bytesToHex(validator.address)]
    const message = `validator address is incorrectly derived from pubkey. Exp: ${want}, got ${got}`
    throw new ValidatorError(VALIDATOR_ERRORS.validator, message)
  }
}

/** Returns the text that the reference's messages show for a validator. */
export function formatValidator(validator: Validator | undefined): string {
  if (validator === undefined) return 'nil-Validator'
  const { address, pubKey, votingPower, proposerPriority } = validator
  const key = pubKey.bytes.length === 0 ? '<nil>' : formatPublicKey(pubKey)
  return `Validator{${bytesToHex(address)} ${key} VP:${votingPower} A:${proposerPriority}}`
}

/** Returns a validator in the form that the application receives. */
export function validatorToUpdate({ pubKey, votingPower }: Validator): ValidatorUpdate {
  return { pubKey, power: votingPower }
}
