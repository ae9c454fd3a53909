import { isCodedError } from '@org/runtime'
import { equalBytes } from '@org/types/bytes'
import type { MessageSchema } from '@org/types/schema'

/** A decoder to be tested: a function that reads bytes which may come from an attacker. */
export interface Decoder {
  readonly name: string
  /**
   * Decodes `bytes`. If the decoder has an encoder, also checks that the result stays the same when it is encoded and
   * decoded again. Throws the errors of the decoder.
   */
  readonly read: (bytes: Uint8Array) => void
  /** Returns true if the decoder may throw this error. Default: true for each coded error. */
  readonly isExpected?: (error: unknown) => boolean
  /** Words of the format, which the fuzzer inserts into its inputs. */
  readonly words?: readonly string[]
  /**
   * True if the input is protobuf. The fuzzer then also changes whole fields. After such a change, it corrects the
   * lengths of the messages that contain the field.
   */
  readonly isProtobuf?: boolean
  /** Returns the recorded or handwritten inputs with which the fuzzer starts. */
  readonly seeds: () => readonly Uint8Array[]
}

/**
 * The error for a value that changes when it is encoded and decoded again. By default, the fuzzer accepts every error
 * with a code, because a decoder refuses bytes with such an error. This error is always a fault of the decoder. So it
 * has no code.
 */
export class RoundTripFault extends Error {}

/** Encodes `value`, decodes the bytes, and checks that the result has the same encoding. */
function checkRoundTrip<T>(
  { encode, decode }: { readonly encode: (value: T) => Uint8Array; readonly decode: (bytes: Uint8Array) => T },
  value: T,
): void {
  const once = encode(value)
  const twice = encode(decode(once))
  if (!equalBytes(once, twice)) throw new RoundTripFault('the encoding of a decoded value is decoded to another value')
}

export interface SchemaDecoderOptions<T> {
  readonly seeds: () => readonly Uint8Array[]
  /** Runs the checks that the node makes before it decodes the bytes. */
  readonly before?: (bytes: Uint8Array) => void
  /** Runs the checks that the node makes after it has decoded the bytes. */
  readonly after?: (value: T) => void
  /**
   * Returns true if the decoder may throw `error`. Default: true for each coded error. This function must be given if
   * the checks after the decoding (`after`) throw errors without a code for invalid messages.
   */
  readonly isExpected?: (error: unknown) => boolean
}

/** Returns a decoder for a protobuf message with this schema. */
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
 * True for a coded error, and for an error whose class is exactly `Error`. False for a TypeError, a RangeError and
 * other errors of the language, which code does not throw on purpose.
 */
export function isPlainError(error: unknown): boolean {
  return isCodedError(error) || (error instanceof Error && Object.getPrototypeOf(error) === Error.prototype)
}

/**
 * Returns the error of `read` if the decoder must not throw it; `undefined` if there is no error or a permitted one.
 */
export function faultOf({ read, isExpected = isCodedError }: Decoder, bytes: Uint8Array): unknown {
  try {
    read(bytes)
    return undefined
  } catch (error) {
    return isExpected(error) ? undefined : error
  }
}
