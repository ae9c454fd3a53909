import { fileErrorMessage } from '@org/runtime/errors'
import type { ConsensusPosition } from '@org/types'
import { base64ToBytes, bytesToBase64, bytesToHex, hexToBytes } from '@org/types/bytes'
import { isJsonObject, type Json, type JsonObject, stringifyJson } from '@org/types/schema'
import { type Files, NODE_FILES, type WriteOptions, writeFileAtomic } from '../files/index.ts'
import { PRIVVAL_ERRORS, PrivvalError } from './errors.ts'
import { corruptFile, readJsonFile } from './key-file.ts'

/** The steps of a round in the order in which a validator signs them. */
export const SignStep = { none: 0, propose: 1, prevote: 2, precommit: 3 } as const

/** The number of a step. After a signer has signed a step, it signs no earlier step of the same height and round. */
export type SignStep = (typeof SignStep)[keyof typeof SignStep]

export interface SignPosition extends ConsensusPosition {
  readonly step: SignStep
}

/** The last signature. `signBytes` and `signature` are empty in the initial state. */
export interface SignState extends SignPosition {
  readonly signature: Uint8Array
  readonly signBytes: Uint8Array
}

const NONE = new Uint8Array(0)
/** The state of a key that has signed nothing. */
export const INITIAL_SIGN_STATE: SignState = {
  height: 0,
  round: 0,
  step: SignStep.none,
  signature: NONE,
  signBytes: NONE,
}

/**
 * Returns true if `next` has the same height, round and step as the last signature. The signer must then make no new
 * signature, but may return the last signature again. Throws `PRIVVAL_REGRESSION` if `next` comes before the last
 * signature.
 */
export function isSignedAlready(last: SignState, next: SignPosition): boolean {
  const regression = (message: string): PrivvalError =>
    new PrivvalError(PRIVVAL_ERRORS.regression, message, { data: { ...next, lastHeight: last.height } })
  const { height, round, step } = next
  if (last.height > height) throw regression(`height regression. Got ${height}, last height ${last.height}`)
  if (last.height < height) return false
  if (last.round > round) {
    throw regression(`round regression at height ${height}. Got ${round}, last round ${last.round}`)
  }
  if (last.round < round) return false
  if (last.step > step) {
    throw regression(`step regression at height ${height} round ${round}. Got ${step}, last step ${last.step}`)
  }
  if (last.step < step) return false
  if (last.signBytes.length === 0) throw regression('no SignBytes found')
  return true
}

/** Returns the content of `priv_validator_state.json` as JSON. */
export function signStateJson({ height, round, step, signature, signBytes }: SignState): JsonObject {
  return {
    height: String(height),
    round,
    step,
    ...(signature.length > 0 ? { signature: bytesToBase64(signature) } : {}),
    ...(signBytes.length > 0 ? { signbytes: bytesToHex(signBytes) } : {}),
  }
}

/** Returns the text of `priv_validator_state.json`. */
export const signStateText = (state: SignState): string => stringifyJson(signStateJson(state), '  ')

const invalid = (message: string): PrivvalError => new PrivvalError(PRIVVAL_ERRORS.corrupt, message)

function parse(json: Json): SignState {
  if (!isJsonObject(json)) throw invalid('expected an object')
  const { height, round, step, signature = '', signbytes = '' } = json
  // The file always has these members. If a damaged name counted as 0, the signer would forget what it has signed, and
  // could sign two different votes. The reference reads a missing member as 0.
  for (const [name, value] of Object.entries({ height, round, step }))
    if (value === undefined) throw invalid(`${name} is missing`)
  if (typeof height !== 'string' || !/^\d{1,15}$/.test(height)) throw invalid('height: expected digits in a string')
  if (typeof round !== 'number' || !Number.isInteger(round) || round < 0) throw invalid('round: expected an integer')
  if (step !== 0 && step !== 1 && step !== 2 && step !== 3) throw invalid('step: expected 0 to 3')
  const signatureBytes = typeof signature === 'string' ? base64ToBytes(signature) : undefined
  const signBytes = typeof signbytes === 'string' ? hexToBytes(signbytes) : undefined
  if (signatureBytes === undefined) throw invalid('signature: expected base64')
  if (signBytes === undefined) throw invalid('signbytes: expected hex')
  if (signBytes.length > 0 && signatureBytes.length === 0)
    throw invalid('signbytes are present, but the signature is missing')
  return { height: Number(height), round, step, signature: signatureBytes, signBytes }
}

/** Loads the sign state. Throws `PRIVVAL_FILE_MISSING`, `PRIVVAL_FILE_CORRUPT`, `PRIVVAL_IO`. */
export function loadSignState(path: string, files: Pick<Files, 'read'> = NODE_FILES): SignState {
  const what = 'private validator state'
  const json = readJsonFile(path, what, files)
  try {
    return parse(json)
  } catch (cause) {
    throw corruptFile(path, what, cause)
  }
}

/**
 * Saves the state. If `after` is passed, the file keeps the old state until `after` has resolved. Throws `PRIVVAL_IO`.
 */
export async function saveSignState(
  path: string,
  state: SignState,
  { after, files }: WriteOptions = {},
): Promise<void> {
  try {
    await writeFileAtomic(path, signStateText(state), { after, files })
  } catch (cause) {
    const message = `the private validator state ${path} cannot be written: ${fileErrorMessage(cause)}`
    throw new PrivvalError(PRIVVAL_ERRORS.io, message, { data: { path }, cause })
  }
}
