import { ProtoPublicKey, PublicKey } from '@org/types/crypto'
import * as s from '@org/types/schema'
import { ZERO_TIME } from '@org/types/time'
import fc from 'fast-check'
import { type AnySchema, isSchema } from './schemas.ts'

const SAFE = Number.MAX_SAFE_INTEGER
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const safe = fc.integer({ min: -SAFE, max: SAFE })
const bytes = fc.uint8Array({ maxLength: 40 }).map((value) => (value.length === 0 ? s.EMPTY_BYTES : value))
const MAX_TIME = 253_402_300_799_999_999_999n

const edges = <T>(arbitrary: fc.Arbitrary<T>, ...values: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(arbitrary, fc.constantFrom(...values))

const SCALARS = new Map<s.Codec<unknown>, fc.Arbitrary<unknown>>([
  [s.int32, edges(int32, 0, -1)],
  [s.uint32, edges(uint32, 0)],
  [s.int64, edges(int64, 0n, -1n, -(2n ** 63n))],
  [s.uint64, edges(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), 0n, 2n ** 64n - 1n)],
  [s.sfixed64, edges(int64, 0n, -1n)],
  [s.safeInt64, edges(safe, 0, -1, SAFE, -SAFE)],
  [s.safeUint64, edges(fc.integer({ min: 0, max: SAFE }), 0, SAFE)],
  [s.safeSfixed64, edges(safe, 0, -1)],
  [s.bool, fc.boolean()],
  [s.string, fc.string({ unit: 'binary', maxLength: 30 })],
  [s.bytes, bytes],
  [s.hexBytes, bytes],
  [s.time, edges(fc.bigInt({ min: ZERO_TIME, max: MAX_TIME }), ZERO_TIME, 0n, -1n, MAX_TIME)],
  [s.duration, edges(int64, 0n, -1n, -(2n ** 63n))],
])

const publicKey = fc.oneof(
  fc.constant(PublicKey.zero),
  fc.record({
    type: fc.constantFrom('ed25519', 'secp256k1'),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 33 }),
  }),
)

function ofCodec(codec: s.Codec<unknown>): fc.Arbitrary<unknown> {
  if (codec === PublicKey || codec === ProtoPublicKey) return publicKey
  if (isSchema(codec)) return arbitraryOf(codec)
  const scalar = SCALARS.get(codec)
  if (scalar !== undefined) return scalar
  // A codec with the zero value 0 that is not in SCALARS is a byte enumeration. SCALARS is a map with the codec objects
  // as keys. It cannot contain byte enumerations, because each call of `byteEnumeration` makes a new codec.
  if (codec.zero === 0) return fc.integer({ min: 0, max: 255 })
  throw new Error('a codec without an arbitrary')
}

function isEmptyWrapper(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'sum' in value && value.sum === undefined
}

function ofField(type: s.FieldType): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case 'single':
      return ofCodec(type.codec)
    case 'optional':
      // If a message has only a oneof and no case is set, its JSON is null. A reader takes null as an absent message.
      return fc.option(
        ofCodec(type.codec).filter((value) => !isEmptyWrapper(value)),
        { nil: undefined },
      )
    case 'repeated':
      return fc.array(ofCodec(type.codec), { maxLength: 4 }).map((list) => (list.length === 0 ? s.NO_ITEMS : list))
    case 'oneof':
      return fc.oneof(
        fc.constant(undefined),
        ...Object.entries(type.cases).map(([name, { codec }]) =>
          ofCodec(codec).map((value) => ({ case: name, value })),
        ),
      )
    case 'derived':
      return fc.constant(undefined)
  }
}

/** Makes random values of a message, with any valid value in each field. */
export function arbitraryOf(schema: AnySchema): fc.Arbitrary<unknown> {
  const members = Object.entries(schema.shape).filter(([, field]) => field.type.kind !== 'derived')
  const fields = Object.fromEntries(members.map(([key, field]) => [key, ofField(field.type)]))
  return fc.record(fields).map((value) => schema.create(value))
}
