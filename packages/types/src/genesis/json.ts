import { base64ToBytes } from '../bytes/index.ts'
import { publicKeyFromJson } from '../crypto/keys.ts'
import { PublicKey } from '../crypto/wire.ts'
import { defaultConsensusParams } from '../params/params.ts'
import { ConsensusParams } from '../params/wire.ts'
import {
  EMPTY_BYTES,
  field,
  hexBytes,
  int64,
  isJsonObject,
  type Json,
  type JsonObject,
  message,
  safeInt64,
  string,
  stringifyJson,
  time,
} from '../schema/index.ts'
import { type Time, ZERO_TIME } from '../time/index.ts'
import { GENESIS_ERRORS, GenesisError } from './errors.ts'
import { completeGenesis, type GenesisDoc, type GenesisValidator } from './genesis.ts'
import { compactJson, indentJson, splitMembers } from './raw-json.ts'

const ValidatorJson = message('GenesisValidator', {
  address: field(1, hexBytes),
  pubKey: field(2, PublicKey),
  power: field(3, int64),
  name: field(4, string),
})

const bad = (name: string, message: string, cause?: unknown): GenesisError => {
  const data = { field: name }
  return new GenesisError(GENESIS_ERRORS.field, `${name}: ${message}`, cause === undefined ? { data } : { data, cause })
}

/** Calls `reader`, which reads the member `name` of the document. Adds the name to the error if `reader` fails. */
function read<T>(name: string, reader: () => T): T {
  try {
    return reader()
  } catch (cause) {
    if (cause instanceof GenesisError) throw cause
    throw bad(name, (cause as Error).message, cause)
  }
}

function parseMember(members: ReadonlyMap<string, string>, name: string): Json {
  const text = members.get(name)
  return text === undefined ? null : (JSON.parse(text) as Json)
}

function readValidators(json: Json): GenesisValidator[] {
  if (json === null) return []
  if (!Array.isArray(json)) throw bad('validators', 'expected an array')
  return json.map((item: Json, index) => {
    const path = `validators[${index}]`
    return read(path, () => {
      const key = isJsonObject(item) ? (item.pub_key ?? null) : null
      return { ...ValidatorJson.fromJson(item, path), pubKey: publicKeyFromJson(key) }
    })
  })
}

function readParams(json: Json): ConsensusParams {
  return json === null ? defaultConsensusParams() : ConsensusParams.fromJson(json)
}

/**
 * Reads the initial height, which is a number in a document of the Cosmos SDK, and a string in a document of CometBFT.
 */
function readHeight(json: Json): number {
  if (json === null) return 0
  if (typeof json !== 'number') return safeInt64.fromJson(json, 'initial_height')
  if (!Number.isSafeInteger(json)) throw bad('initial_height', 'expected an integer')
  return json
}

/** Reads the app hash, which is hex in a document of CometBFT, and base64 in a document of the Cosmos SDK. */
function readAppHash(json: Json, sdk: boolean): Uint8Array {
  if (json === null || json === '') return EMPTY_BYTES
  const bytes = sdk && typeof json === 'string' ? base64ToBytes(json) : undefined
  return bytes ?? hexBytes.fromJson(json, 'app_hash')
}

function readSdkConsensus(json: Json): JsonObject | undefined {
  if (json === null) return undefined
  if (!isJsonObject(json)) throw bad('consensus', 'expected an object')
  return json
}

function checkRest(members: ReadonlyMap<string, string>): void {
  for (const [name, text] of members) if (!KNOWN.has(name)) read(name, () => JSON.parse(text))
}

const KNOWN = new Set([
  'genesis_time',
  'chain_id',
  'initial_height',
  'consensus_params',
  'validators',
  'consensus',
  'app_hash',
])

/**
 * Reads a document in the form of CometBFT or of the Cosmos SDK, checks it and completes it. In the form of the Cosmos
 * SDK, `initial_height` is a number, and params and validators are under `consensus`. `now` replaces a missing time.
 * Throws {@link GenesisError}.
 */
export function parseGenesis(text: string, now: Time = ZERO_TIME): GenesisDoc {
  let members: ReadonlyMap<string, string>
  try {
    members = splitMembers(text)
    checkRest(members)
  } catch (cause) {
    if (cause instanceof GenesisError) throw cause
    throw new GenesisError(GENESIS_ERRORS.syntax, `not a JSON object: ${(cause as Error).message}`, { cause })
  }
  const get = <T>(name: string, reader: (json: Json) => T): T => read(name, () => reader(parseMember(members, name)))
  const sdk = get('consensus', readSdkConsensus)
  const genesisTime = get('genesis_time', (json) => (json === null ? ZERO_TIME : time.fromJson(json, 'genesis_time')))
  const appState = members.get('app_state') ?? ''
  return completeGenesis({
    genesisTime: genesisTime === ZERO_TIME ? now : genesisTime,
    chainId: get('chain_id', (json) => (json === null ? '' : string.fromJson(json, 'chain_id'))),
    initialHeight: get('initial_height', readHeight),
    consensusParams:
      sdk === undefined
        ? get('consensus_params', readParams)
        : read('consensus.params', () => readParams(sdk.params ?? null)),
    validators: sdk === undefined ? get('validators', readValidators) : readValidators(sdk.validators ?? null),
    appHash: get('app_hash', (json) => readAppHash(json, sdk !== undefined)),
    appState: appState === 'null' ? '' : appState,
  })
}

/** Returns the members of the document's JSON in the reference's order, without `app_state`. */
function members(doc: GenesisDoc): JsonObject {
  return {
    genesis_time: time.toJson(doc.genesisTime),
    chain_id: doc.chainId,
    initial_height: safeInt64.toJson(doc.initialHeight),
    consensus_params: ConsensusParams.toJson(doc.consensusParams),
    ...(doc.validators.length === 0 ? {} : { validators: doc.validators.map((v) => ValidatorJson.toJson(v)) }),
    app_hash: hexBytes.toJson(doc.appHash),
  }
}

/**
 * Returns the document as a JSON value. Its `app_state` is read by JSON.parse, which may change numbers.
 * {@link encodeGenesis} keeps the text of `app_state`.
 */
export function genesisToJson(doc: GenesisDoc): JsonObject {
  if (doc.appState === '') return members(doc)
  return { ...members(doc), app_state: JSON.parse(doc.appState) as Json }
}

/** Returns the document as one line of JSON, the form in databases and in RPC answers. */
export function encodeGenesis(doc: GenesisDoc): string {
  const text = stringifyJson(members(doc))
  if (doc.appState === '') return text
  return `${text.slice(0, -1)},"app_state":${compactJson(doc.appState)}}`
}

/** Returns the text of a genesis file. */
export function formatGenesis(doc: GenesisDoc): string {
  return indentJson(encodeGenesis(doc))
}
