import { isCodedError } from '@org/runtime'
import { equalBytes } from '@org/types/bytes'
import type { MessageSchema } from '@org/types/schema'

/** A function that reads bytes which a stranger may have written. */
export interface Decoder {
  readonly name: string
  /** Reads `bytes`, and compares the result with its own encoding if one is defined. Throws the decoder's errors. */
  readonly read: (bytes: Uint8Array) => void
  /** Whether an error of `read` is a documented one. Default: a coded error. */
  readonly isExpected?: (error: unknown) => boolean
  /** Words of the format, which the fuzzer puts into its inputs. */
  readonly words?: readonly string[]
  /** True for protobuf: the fuzzer also changes whole fields and corrects the lengths around them. */
  readonly isProtobuf?: boolean
  /** The recorded or written inputs that the fuzzer starts from. */
  readonly seeds: () => readonly Uint8Array[]
}

/** A value that changed by encoding and decoding. It is not a coded error, because no decoder may throw it. */
export class RoundTripFault extends Error {}

/** Encodes `value`, decodes the bytes, and checks that the result has the same encoding. */
export function checkRoundTrip<T>(
  { encode, decode }: { readonly encode: (value: T) => Uint8Array; readonly decode: (bytes: Uint8Array) => T },
  value: T,
): void {
  const once = encode(value)
  const twice = encode(decode(once))
  if (!equalBytes(once, twice)) throw new RoundTripFault('the encoding of a decoded value is decoded to another value')
}

export interface SchemaDecoderOptions<T> {
  readonly seeds: () => readonly Uint8Array[]
  /** The checks of the node before it decodes. */
  readonly before?: (bytes: Uint8Array) => void
  /** The checks of the node after it has decoded. */
  readonly after?: (value: T) => void
  /** For a function `after` that throws errors without a code. Its only caller treats them as faults of the peer. */
  readonly isExpected?: (error: unknown) => boolean
}

/** The decoder of a protobuf message. */
export function schemaDecoder<T>(name: string, schema: MessageSchema<T>, options: SchemaDecoderOptions<T>): Decoder {
  const { before, after, seeds, isExpected } = options
  return {
    name,
    isProtobuf: true,
    seeds,
    ...(isExpected === undefined ? {} : { isExpected }),
    read: (bytes) => {
      before?.(bytes)
      const value = schema.decode(bytes)
      checkRoundTrip(schema, value)
      after?.(value)
    },
  }
}

/**
 * True for an error without a code that was thrown on purpose: not a TypeError, RangeError or other error of the
 * language.
 */
export function isPlainError(error: unknown): boolean {
  return isCodedError(error) || (error instanceof Error && Object.getPrototypeOf(error) === Error.prototype)
}

/** The error of `read` if it is not one that the decoder documents; `undefined` otherwise. */
export function faultOf({ read, isExpected = isCodedError }: Decoder, bytes: Uint8Array): unknown {
  try {
    read(bytes)
    return undefined
  } catch (error) {
    return isExpected(error) ? undefined : error
  }
}
