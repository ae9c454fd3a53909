import { CodedError } from '@org/runtime/errors'
import { bytesToHex } from '@org/types/bytes'
import {
  addressOf,
  generateEd25519,
  type PrivateKey,
  privateKeyFromJson,
  privateKeyToJson,
  publicKeyOf,
} from '@org/types/crypto'
import { isJsonObject, stringifyJson } from '@org/types/schema'
import { HOME_ERRORS } from './errors.ts'
import { exists, PRIVATE_MODE, readJson, writeWhole } from './files.ts'

/** Reads the key that identifies this node to its peers. */
export function readNodeKey(path: string): PrivateKey {
  return readJson(path, (json) => {
    if (!isJsonObject(json) || json.priv_key === undefined)
      throw new CodedError(HOME_ERRORS.corrupt, 'expected an object with "priv_key"')
    return privateKeyFromJson(json.priv_key)
  })
}

export function makeNodeKey(path: string): PrivateKey {
  const key = generateEd25519()
  writeWhole(path, stringifyJson({ priv_key: privateKeyToJson(key) }), PRIVATE_MODE)
  return key
}

export const loadOrMakeNodeKey = (path: string): PrivateKey => (exists(path) ? readNodeKey(path) : makeNodeKey(path))

/** Returns the node id: the address of the key in lower-case hex. */
export const nodeIdOf = (key: PrivateKey): string => bytesToHex(addressOf(publicKeyOf(key))).toLowerCase()
