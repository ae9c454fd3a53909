import { fileErrorMessage, jsonErrorMessage } from '@org/runtime/errors'
import { bytesToHex, bytesToUtf8 } from '@org/types/bytes'
import {
  addressOf,
  generateEd25519,
  type PrivateKey,
  privateKeyFromJson,
  privateKeyToJson,
  publicKeyOf,
  publicKeyToJson,
} from '@org/types/crypto'
import { isJsonObject, type Json, type JsonObject, stringifyJson } from '@org/types/schema'
import { type Files, NODE_FILES, writeFileAtomic } from '../files/index.ts'
import { PRIVVAL_ERRORS, PrivvalError } from './errors.ts'

/** Reads a JSON file. Throws `PRIVVAL_FILE_MISSING`, `PRIVVAL_FILE_CORRUPT`, `PRIVVAL_IO`. */
export function readJsonFile(path: string, what: string, files: Pick<Files, 'read'> = NODE_FILES): Json {
  let text: string
  try {
    text = bytesToUtf8(files.read(path))
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const message = missing
      ? `there is no ${what} file ${path}`
      : `the ${what} file ${path} cannot be read: ${fileErrorMessage(cause)}`
    throw new PrivvalError(missing ? PRIVVAL_ERRORS.missing : PRIVVAL_ERRORS.io, message, { data: { path }, cause })
  }
  try {
    return JSON.parse(text) as Json
  } catch (cause) {
    throw corruptFile(path, what, cause)
  }
}

export function corruptFile(path: string, what: string, cause: unknown): PrivvalError {
  const reason = jsonErrorMessage(cause)
  const message = `error reading the ${what} from ${path}: ${reason}`
  return new PrivvalError(PRIVVAL_ERRORS.corrupt, message, { data: { path }, cause })
}

/** Returns the content of `priv_validator_key.json` as JSON. */
export function keyFileJson(key: PrivateKey): JsonObject {
  const publicKey = publicKeyOf(key)
  return {
    address: bytesToHex(addressOf(publicKey)),
    pub_key: publicKeyToJson(publicKey),
    priv_key: privateKeyToJson(key),
  }
}

/** Returns the text of `priv_validator_key.json`. */
export const keyFileText = (key: PrivateKey): string => stringifyJson(keyFileJson(key), '  ')

/** Loads the private key. As in the reference, the address and public key in the file are not read. */
export function loadKeyFile(path: string): PrivateKey {
  const what = 'private validator key'
  const json = readJsonFile(path, what)
  try {
    return privateKeyFromJson(isJsonObject(json) ? (json.priv_key ?? null) : null)
  } catch (cause) {
    throw corruptFile(path, what, cause)
  }
}

/** Writes a key, by default a new one, and returns it. Overwrites an existing file. Throws `PRIVVAL_IO`. */
export async function saveKeyFile(path: string, key: PrivateKey = generateEd25519()): Promise<PrivateKey> {
  try {
    await writeFileAtomic(path, keyFileText(key))
  } catch (cause) {
    const message = `the private validator key ${path} cannot be written: ${fileErrorMessage(cause)}`
    throw new PrivvalError(PRIVVAL_ERRORS.io, message, { data: { path }, cause })
  }
  return key
}
