import { ProtoPublicKey, PublicKey } from '@org/types/crypto'
import {
  bool,
  bytes,
  type Cases,
  duration,
  type Field,
  hexBytes,
  int32,
  int64 as int64Codec,
  type JsonMember,
  string,
  time as timeCodec,
} from '@org/types/schema'
import { base64, flag, hex, int, int64, listOf, maybe, record, ref, tagged, text, time } from '../call/json-schema.ts'
import type { JsonSchema } from '../call/params.ts'

/** The parts of a codec that describe its JSON. The codec of a value that is not a message has only `toJson`. */
export interface JsonCodec {
  readonly toJson: unknown
  readonly jsonMembers?: readonly JsonMember[] | undefined
  readonly onlyField?: Field<unknown> | undefined
}

const PUBLIC_KEY = tagged(['tendermint/PubKeyEd25519', 'tendermint/PubKeySecp256k1'], base64)

/**
 * The JSON schemas of values that are not messages. The key of a schema is the function `toJson` of the value's codec.
 * Several codecs that write the same JSON may share one function `toJson`, and one schema then describes all of them.
 */
const LEAVES: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [string.toJson, text],
  [bool.toJson, flag],
  [int32.toJson, int],
  [int64Codec.toJson, int64],
  [duration.toJson, int64],
  [timeCodec.toJson, time],
  [hexBytes.toJson, hex],
  [bytes.toJson, base64],
  [PublicKey.toJson, PUBLIC_KEY],
  [ProtoPublicKey.toJson, record({ Sum: maybe(record({ type: text, value: { type: 'object' } })) })],
])

/**
 * Describes the JSON of codecs. A codec with a name is described once, and referred to elsewhere. The description of an
 * unknown codec is `{}`, which allows any JSON.
 */
export function createDescriber(named: Readonly<Record<string, JsonCodec>>): (codec: JsonCodec) => JsonSchema {
  // The key of each name is the function `toJson` of the codec, because a copy of the codec has the same function.
  const names = new Map(Object.entries(named).map(([name, { toJson }]) => [toJson, name]))

  function describeCases(cases: Cases): JsonSchema {
    return {
      oneOf: Object.entries(cases).map(([key, { codec, tag }]) => tagged([tag ?? key], refer(codec))),
    }
  }

  function describeField({ type }: Field<unknown>): JsonSchema {
    if (type.kind === 'derived') return {}
    if (type.kind === 'oneof') return describeCases(type.cases)
    const item = refer(type.codec)
    return type.kind === 'repeated' ? listOf(item) : item
  }

  function describeMembers(members: readonly JsonMember[]): JsonSchema {
    return record(
      Object.fromEntries(
        members.map(({ name, field }) => [
          name,
          field.json.isNullable ? maybe(describeField(field)) : describeField(field),
        ]),
      ),
      members.filter(({ field }) => field.json.isOptional).map(({ name }) => name),
    )
  }

  function refer(codec: JsonCodec): JsonSchema {
    const name = names.get(codec.toJson)
    return name === undefined ? describe(codec) : ref(name)
  }

  function describe(codec: JsonCodec): JsonSchema {
    const leaf = LEAVES.get(codec.toJson)
    if (leaf !== undefined) return leaf
    if (codec.onlyField !== undefined) return describeField(codec.onlyField)
    return codec.jsonMembers === undefined ? {} : describeMembers(codec.jsonMembers)
  }

  return describe
}
