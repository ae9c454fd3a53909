import {
  bytes,
  type Codec,
  EMPTY_BYTES,
  isJsonObject,
  type Json,
  jsonError,
  message,
  oneof,
  when,
} from '../schema/index.ts'

/**
 * The public key of a validator or node. `bytes` has 32 bytes for ed25519 and 33 (compressed) for secp256k1. Empty
 * bytes are the zero value, which means that there is no key. Decoding does not check the length.
 */
export interface PublicKey {
  readonly type: 'ed25519' | 'secp256k1'
  readonly bytes: Uint8Array
}

const NO_KEY: PublicKey = Object.freeze({ type: 'ed25519', bytes: EMPTY_BYTES })

const Wire = message('tendermint.crypto.PublicKey', {
  sum: oneof({ ed25519: when(1, bytes), secp256k1: when(2, bytes) }),
})

const TAGS = { ed25519: 'tendermint/PubKeyEd25519', secp256k1: 'tendermint/PubKeySecp256k1' } as const
const PROTO_TAGS = {
  ed25519: 'tendermint.crypto.PublicKey_Ed25519',
  secp256k1: 'tendermint.crypto.PublicKey_Secp256K1',
} as const
const TYPES = ['ed25519', 'secp256k1'] as const

function toWire({ type, bytes: value }: PublicKey): typeof Wire.zero {
  return { sum: value.length === 0 ? undefined : { case: type, value } }
}

function fromWire({ sum }: typeof Wire.zero): PublicKey {
  return sum === undefined ? NO_KEY : { type: sum.case, bytes: sum.value }
}

/**
 * The schema of a public key: a message on the wire, and `{ "type": "tendermint/PubKeyEd25519", "value": base64 }` in
 * JSON, or `null` for no key.
 */
export interface PublicKeySchema extends Codec<PublicKey> {
  readonly typeName: string
  readonly encode: (key: PublicKey) => Uint8Array
  readonly decode: (bytes: Uint8Array) => PublicKey
  readonly fromJson: (json: Json, path?: string) => PublicKey
}

export const PublicKey: PublicKeySchema = {
  typeName: Wire.typeName,
  wireType: Wire.wireType,
  zero: NO_KEY,
  isZero: () => false,
  encode: (key) => Wire.encode(toWire(key)),
  decode: (value) => fromWire(Wire.decode(value)),
  write: (writer, key) => Wire.write(writer, toWire(key)),
  read: (cursor) => fromWire(Wire.read(cursor)),
  toJson: (key) => (key.bytes.length === 0 ? null : { type: TAGS[key.type], value: bytes.toJson(key.bytes) }),
  fromJson: (json, path = '') => {
    if (json === null) return NO_KEY
    const type = isJsonObject(json) ? TYPES.find((name) => TAGS[name] === json.type) : undefined
    if (!isJsonObject(json) || type === undefined) throw jsonError(path, 'a public key with a known "type"')
    return { type, bytes: bytes.fromJson(json.value ?? null, `${path}.value`) }
  },
}

/**
 * The codec of a {@link PublicKey} with another JSON: `{ "Sum": { "type": …, "value": … } }`. The reference shows keys
 * in this form inside ABCI messages, because this is the form of the Go struct for the protobuf message.
 */
export const ProtoPublicKey: Codec<PublicKey> = {
  ...PublicKey,
  toJson: (key) => ({
    Sum: key.bytes.length === 0 ? null : { type: PROTO_TAGS[key.type], value: { [key.type]: bytes.toJson(key.bytes) } },
  }),
  fromJson: (json, path) => {
    const sum = isJsonObject(json) ? json.Sum : undefined
    if (sum === null) return NO_KEY
    const type = isJsonObject(sum) ? TYPES.find((name) => PROTO_TAGS[name] === sum.type) : undefined
    const value = isJsonObject(sum) ? sum.value : undefined
    if (type === undefined || !isJsonObject(value)) throw jsonError(path, 'a public key with a known "type"')
    return { type, bytes: bytes.fromJson(value[type] ?? null, `${path}.Sum.value.${type}`) }
  },
}
