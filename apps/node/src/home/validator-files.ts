import { bytesToHex } from '@org/types/bytes'
import {
  addressOf,
  generateEd25519,
  type PrivateKey,
  privateKeyFromJson,
  privateKeyToJson,
  publicKeyOf,
  publicKeyToJson,
} from '@org/types/crypto'
import { isJsonObject, type Json } from '@org/types/schema'
import { PRIVATE_MODE, readJson, writeWhole } from './files.ts'

/** The key file's content, in the order in which the reference writes it. */
export function validatorKeyToJson(key: PrivateKey): Json {
  const publicKey = publicKeyOf(key)
  return {
    address: bytesToHex(addressOf(publicKey)),
    pub_key: publicKeyToJson(publicKey),
    priv_key: privateKeyToJson(key),
  }
}

/** A signer that has signed nothing. */
export const EMPTY_SIGN_STATE: Json = { height: '0', round: 0, step: 0 }

export function readValidatorKey(path: string): PrivateKey {
  return readJson(path, (json) => {
    if (!isJsonObject(json) || json.priv_key === undefined) throw new Error('expected an object with "priv_key"')
    return privateKeyFromJson(json.priv_key)
  })
}

export interface ValidatorPaths {
  readonly privValidatorKey: string
  readonly privValidatorState: string
}

/** Forgets what was signed. A validator that signs again what it had signed can be punished. */
export function resetSignState({ privValidatorState }: ValidatorPaths): void {
  writeWhole(privValidatorState, JSON.stringify(EMPTY_SIGN_STATE, undefined, 2), PRIVATE_MODE)
}

export function makeValidator(paths: ValidatorPaths): PrivateKey {
  const key = generateEd25519()
  writeWhole(paths.privValidatorKey, JSON.stringify(validatorKeyToJson(key), undefined, 2), PRIVATE_MODE)
  resetSignState(paths)
  return key
}
