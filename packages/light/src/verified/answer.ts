import type { RpcMethods } from '@org/rpc/client'
import { bytesToHex, equalBytes, hexToBytes } from '@org/types/bytes'
import { HASH_SIZE } from '@org/types/crypto'
import { LIGHT_ERRORS, type LightError, lightError } from '../errors.ts'
import type { RequestOptions } from '../provider/port.ts'
import type { Headers } from './headers.ts'

/** The answer to the RPC method `Method`. */
export type Answer<Method extends keyof RpcMethods> = Awaited<ReturnType<RpcMethods[Method]>>
/** The arguments of the RPC method `Method`. */
export type Args<Method extends keyof RpcMethods> = NonNullable<Parameters<RpcMethods[Method]>[0]>

/** A method of the typed client whose answer is verified. */
export type Verified<Method extends keyof RpcMethods, Result = Answer<Method>> = (
  args?: Args<Method>,
  options?: RequestOptions,
) => Promise<Result>

export interface VerifiedModules {
  /** The RPC client that sends the calls to the node. */
  readonly client: RpcMethods
  readonly headers: Headers
}

declare const mark: unique symbol

/** A value from the node that no proof covers. */
export type Unverified<T> = T extends undefined ? undefined : T & { readonly [mark]?: 'not verified' }

/** An answer in which some members are not verified. The type parameter `Names` lists these members. */
export type PartlyVerified<T, Names extends keyof T> = Omit<T, Names> & {
  readonly [Name in Names]: Unverified<T[Name]>
}

/** The maximum length of a reason in an error. A reason can contain a text of the node, which may have megabytes. */
const MAX_REASON = 1000

/** Makes the error for an answer that is false, or that does not fit the call. */
export function wrongAnswer(method: string, why: string, cause?: unknown): LightError {
  const reason = why.slice(0, MAX_REASON)
  const message = `the answer to ${method} is wrong: ${reason}. Ask another node`
  return lightError(LIGHT_ERRORS.wrongAnswer, message, { data: { method, reason }, cause })
}

/**
 * Throws if a number in an answer, such as the height, is not `asked`, the requested number. `asked` is `undefined` if
 * the call requests no number.
 */
export function checkNumber(method: string, name: string, pair: readonly [number, number | undefined]): void {
  const [got, asked] = pair
  if (asked !== undefined && got !== asked) throw wrongAnswer(method, `the ${name} is ${got}, not ${asked}`)
}

/**
 * Throws if bytes in an answer, such as a hash or a key, differ from `wanted`, which are the bytes that the call
 * requested or that are proven. Does nothing if `wanted` is `undefined`: then the call requested no bytes.
 */
export function checkBytes(method: string, name: string, pair: readonly [Uint8Array, Uint8Array | undefined]): void {
  const [got, wanted] = pair
  if (wanted !== undefined && !equalBytes(got, wanted))
    throw wrongAnswer(method, `the ${name} is ${shown(got)}, not ${shown(wanted)}`)
}

/** Throws if a list in an answer has two items with the same hash: a caller may add up the items. */
export function checkDistinct(method: string, hashes: readonly Uint8Array[]): void {
  if (new Set(hashes.map(shown)).size < hashes.length) throw wrongAnswer(method, 'duplicate items')
}

/** Makes the error for an answer that cannot be verified. */
export function unprovable(method: string, why: string): LightError {
  const reason = why.slice(0, MAX_REASON)
  const message = `the answer to ${method} cannot be verified: ${reason}`
  return lightError(LIGHT_ERRORS.unprovable, message, { data: { method, reason } })
}

/**
 * Returns the text that an error shows for bytes in an answer: the hex of the first 32 bytes. The node may have sent
 * many more bytes, which would make the error too long.
 */
const shown = (bytes: Uint8Array): string => bytesToHex(bytes.subarray(0, HASH_SIZE))

/** Runs a check of `@org/types`, and converts its errors to `LIGHT_WRONG_ANSWER`. */
export function check<T>(method: string, run: () => T): T {
  try {
    return run()
  } catch (cause) {
    throw wrongAnswer(method, (cause as Error).message, cause)
  }
}

/**
 * Returns the height in the arguments, or `undefined` for the latest block. A node also answers with its latest block
 * if the height is 0.
 */
export function heightOfArgs(height: bigint | number | undefined): number | undefined {
  const given = height === undefined ? 0 : Number(height)
  return given === 0 ? undefined : given
}

/**
 * Returns the height in an answer. Throws {@link LightError} (`LIGHT_WRONG_ANSWER`) if no block can have this height.
 */
export function heightOfAnswer(method: string, height: number): number {
  if (Number.isSafeInteger(height) && height > 0) return height
  throw wrongAnswer(method, `no block has the height ${height}`)
}

/**
 * Returns the bytes of the hash in the arguments. The arguments contain the hash as bytes or as a hex text. Throws
 * {@link LightError} (`LIGHT_OPTION`) if it is missing or has another length.
 */
export function hashOfArgs(method: string, hash: Uint8Array | string | undefined): Uint8Array {
  const bytes = typeof hash === 'string' ? hexToBytes(hash.replace(/^0x/i, '')) : hash
  if (bytes?.length === HASH_SIZE) return bytes
  const message = `${method} needs a hash of ${HASH_SIZE} bytes`
  throw lightError(LIGHT_ERRORS.option, message, { data: { option: 'hash' } })
}
