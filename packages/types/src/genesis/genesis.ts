import { bytesToHex, equalBytes, utf8ToBytes } from '../bytes/index.ts'
import { formatPublicKey } from '../crypto/format.ts'
import { addressOf } from '../crypto/keys.ts'
import type { PublicKey } from '../crypto/wire.ts'
import { MAX_CHAIN_ID_LENGTH } from '../header/validate-header.ts'
import { validateConsensusParams } from '../params/params.ts'
import type { ConsensusParams } from '../params/wire.ts'
import type { Time } from '../time/index.ts'
import { createValidatorSet } from '../validators/changes.ts'
import { hashValidators } from '../validators/set.ts'
import { createValidator } from '../validators/validator.ts'
import { GENESIS_ERRORS, GenesisError } from './errors.ts'

/** A validator of the genesis document: its key, its power and its name. The name has no effect. */
export interface GenesisValidator {
  /** The address of the key, 20 bytes. {@link completeGenesis} computes it if it is empty. */
  readonly address: Uint8Array
  readonly pubKey: PublicKey
  readonly power: bigint
  readonly name: string
}

/** The document that a chain begins from. */
export interface GenesisDoc {
  readonly genesisTime: Time
  readonly chainId: string
  readonly initialHeight: number
  readonly consensusParams: ConsensusParams
  readonly validators: readonly GenesisValidator[]
  readonly appHash: Uint8Array
  /** The application's state as JSON text, byte for byte as in the file. It is empty if the file has no state. */
  readonly appState: string
}

const invalid = (message: string): GenesisError => new GenesisError(GENESIS_ERRORS.invalid, message)

/** The text of a validator in the reference's messages. */
function formatGenesisValidator({ address, pubKey, power, name }: GenesisValidator): string {
  return `{${bytesToHex(address)} ${formatPublicKey(pubKey)} ${power} ${name}}`
}

function completeValidator(validator: GenesisValidator): GenesisValidator {
  if (validator.power === 0n) {
    const shown = formatGenesisValidator(validator)
    throw invalid(`the genesis file cannot contain validators with no voting power: ${shown}`)
  }
  const address = addressOf(validator.pubKey)
  if (validator.address.length > 0 && !equalBytes(validator.address, address)) {
    const shown = formatGenesisValidator(validator)
    throw invalid(`incorrect address for validator ${shown} in the genesis file, should be ${bytesToHex(address)}`)
  }
  return { ...validator, address }
}

/**
 * Checks a document, and fills in missing values: an initial height of 0 becomes 1, and a validator gets its address.
 * Throws {@link GenesisError}.
 */
export function completeGenesis(doc: GenesisDoc): GenesisDoc {
  if (doc.chainId === '') throw invalid('genesis doc must include non-empty chain_id')
  if (utf8ToBytes(doc.chainId).length > MAX_CHAIN_ID_LENGTH) {
    throw invalid(`chain_id in genesis doc is too long (max: ${MAX_CHAIN_ID_LENGTH})`)
  }
  if (doc.initialHeight < 0) throw invalid(`initial_height cannot be negative (got ${doc.initialHeight})`)
  validateConsensusParams(doc.consensusParams)
  return {
    ...doc,
    initialHeight: doc.initialHeight === 0 ? 1 : doc.initialHeight,
    validators: doc.validators.map(completeValidator),
  }
}

/** Returns the hash of the validator set with which the chain starts. */
export function genesisValidatorsHash(doc: GenesisDoc): Uint8Array {
  return hashValidators(createValidatorSet(doc.validators.map(({ pubKey, power }) => createValidator(pubKey, power))))
}
