import { type Exchange, recordingLines } from '@org/golden'
import { anyEvidence, anyExchange } from '@org/golden/generated-requests'
import { ROUTES } from '@org/rpc'
import fc from 'fast-check'

/**
 * The maximum length in bytes of a seed. A seed is a request from which the fuzzer makes new requests by random
 * changes. Longer requests are slower, and they have no forms that short requests do not have.
 */
const MAX_SEED_BYTES = 2048
/** The number of seeds that are generated from the table of operations, in addition to the recorded requests. */
const MADE_SEEDS = 1500

/**
 * Matches the names of operations that a request must not call. The operations with `dial` in their names make the
 * node connect to other nodes. The answer to `/events` is a stream of events, which has no end.
 */
const FORBIDDEN = /dial|\/events/i

/**
 * Replaces the escapes of URLs and of JSON in a text by their characters. Without this step, an escape in the name of a
 * forbidden operation would hide the name from the pattern `FORBIDDEN`.
 */
function unescaped(text: string): string {
  return text
    .replace(/%([0-9a-f]{2})/gi, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/\\u([0-9a-f]{4})/gi, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}

/**
 * True if the request contains no name of a forbidden operation, so that a node on this machine may receive the
 * request.
 */
export function isAllowed({ request }: Exchange): boolean {
  const text = JSON.stringify([request.path, request.body, request.frames]).replaceAll('\\\\', '\\')
  return !FORBIDDEN.test(unescaped(text)) && !FORBIDDEN.test(unescaped(unescaped(text)))
}

/**
 * True for a request that can be changed at random. The request must be short and be text. The fuzzer must also be able
 * to detect where the answer of the node to this request ends.
 */
function isSeed({ transport, request }: Exchange): boolean {
  if (transport === 'raw' || request.noSentinel !== undefined) return false
  const parts = [request.path, request.body, ...(request.frames ?? [])].filter((part) => part !== undefined)
  return (
    parts.every((part) => part === null || typeof part === 'string') &&
    JSON.stringify(request).length <= MAX_SEED_BYTES &&
    // These headers describe the length or the protocol. If they are wrong, the connection cannot be used any more.
    Object.keys(request.headers ?? {}).every(
      (name) => !/^(content-length|transfer-encoding|expect|upgrade)$/i.test(name),
    )
  )
}

/**
 * Returns the requests from which the fuzzer makes new requests: all suitable recorded requests, and generated requests
 * for the operations of the node.
 */
export function seedsOf(chance: number): readonly Exchange[] {
  const recorded = recordingLines<Exchange>('kvstore-single/answers.jsonl')
  const routes = Object.values(ROUTES).filter(({ name }) => !name.startsWith('dial'))
  const made = fc.sample(
    fc.oneof({ weight: 4, arbitrary: anyExchange(routes) }, { weight: 1, arbitrary: anyEvidence() }),
    { numRuns: MADE_SEEDS, seed: chance },
  )
  return [...recorded, ...made].filter((exchange) => isSeed(exchange) && isAllowed(exchange))
}
