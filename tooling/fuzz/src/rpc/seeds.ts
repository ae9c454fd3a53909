import { type Exchange, recordingLines } from '@org/golden'
import { anyEvidence, anyExchange } from '@org/golden/questions'
import { ROUTES } from '@org/rpc'
import fc from 'fast-check'

/** Longer requests are slower and add no new shapes. */
const MAX_SEED_BYTES = 2048
/** The number of seeds that are made from the table of operations, besides the recorded ones. */
const MADE_SEEDS = 1500

/** Names that a request must not have: a node must not dial, and an answer must end. */
const FORBIDDEN = /dial|\/events/i

/** Decodes the escapes of queries and of JSON that a name may contain. */
function unescaped(text: string): string {
  return text
    .replace(/%([0-9a-f]{2})/gi, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/\\u([0-9a-f]{4})/gi, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}

/** Whether this request may be sent to a node of this machine. */
export function isAllowed({ request }: Exchange): boolean {
  const text = JSON.stringify([request.path, request.body, request.frames]).replaceAll('\\\\', '\\')
  return !FORBIDDEN.test(unescaped(text)) && !FORBIDDEN.test(unescaped(unescaped(text)))
}

/** True for a request that can be mutated: short, text, answered at once, with an answer whose end is known. */
function isSeed({ transport, request }: Exchange): boolean {
  if (transport === 'raw' || request.noSentinel !== undefined) return false
  const parts = [request.path, request.body, ...(request.frames ?? [])].filter((part) => part !== undefined)
  return (
    parts.every((part) => part === null || typeof part === 'string') &&
    JSON.stringify(request).length <= MAX_SEED_BYTES &&
    // After a wrong length, the connection cannot be used any more.
    Object.keys(request.headers ?? {}).every(
      (name) => !/^(content-length|transfer-encoding|expect|upgrade)$/i.test(name),
    )
  )
}

/** The requests from which others are made: all recorded ones, and some for every operation. */
export function seedsOf(chance: number): readonly Exchange[] {
  const recorded = recordingLines<Exchange>('kvstore-single/answers.jsonl')
  const routes = Object.values(ROUTES).filter(({ name }) => !name.startsWith('dial'))
  const made = fc.sample(
    fc.oneof({ weight: 4, arbitrary: anyExchange(routes) }, { weight: 1, arbitrary: anyEvidence() }),
    { numRuns: MADE_SEEDS, seed: chance },
  )
  return [...recorded, ...made].filter((exchange) => isSeed(exchange) && isAllowed(exchange))
}
