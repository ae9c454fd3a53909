import type { Exchange } from '@org/golden'
import { isDeclaredClose } from './declared-close.ts'
import { isDeclaredSearch } from './declared-search.ts'
import { differenceOf } from './difference.ts'
import type { Answer } from './node.ts'

export interface DifferentAnswers {
  readonly exchange: Exchange
  readonly wanted: Answer
  readonly got: Answer
  readonly strict: boolean
}

interface Texts {
  readonly asked: string
  readonly wanted: string
  readonly got: string
}

interface Declaration {
  /** The heading of a section in `packages/rpc/DEVIATIONS.md`. */
  readonly section: string
  /** True if the difference also exists with the setting `strict`. */
  readonly always?: boolean
  readonly fits: (texts: Texts, answers: DifferentAnswers) => boolean
}

/**
 * Matches the errors with which the reference refuses JSON arguments that Halley accepts. Halley accepts more forms of
 * arguments than the reference.
 */
const OTHER_FORM =
  /expected \d+ parameters|invalid 64-bit integer encoding|cannot unmarshal string into Go value of type bool/
const NO_HEX = /encoding\/hex: invalid byte: U\+00[57]8|illegal base64 data at input byte/

/**
 * Returns the answer without the header `Vary: Accept`, by which caches distinguish the answers of different profiles.
 */
function withoutVary(answer: Answer): Answer {
  const { Vary: vary, ...headers } = (answer.headers ?? {}) as Readonly<Record<string, unknown>>
  return vary === 'Accept' ? { ...answer, headers } : answer
}

/**
 * Matches the reference's errors for the height 0. The second error is for 0 as a JSON number, a form that the
 * reference always refuses.
 */
const HEIGHT_ZERO =
  /height must be greater than 0, but got 0|invalid 64-bit integer encoding \\+"-?0\\+", expected string/

export const DECLARED: readonly Declaration[] = [
  { section: 'height 0 is the latest', fits: ({ wanted }) => HEIGHT_ZERO.test(wanted) },
  {
    section: 'Absent params are empty params',
    fits: ({ wanted }) => wanted.includes('reflect: Call with too few input arguments'),
  },
  {
    section: 'More forms of arguments',
    fits: ({ asked, wanted }, { exchange: { transport } }) =>
      transport !== 'uri' && (OTHER_FORM.test(wanted) || (/"0x/i.test(asked) && NO_HEX.test(wanted))),
  },
  {
    section: 'Cacheable answers vary by Accept',
    fits: (_texts, { wanted, got }) => withoutVary(got) !== got && differenceOf(wanted, withoutVary(got)) === undefined,
  },
  {
    section: 'unconfirmed_txs returns at most limit transactions',
    fits: ({ asked, wanted }) => asked.includes('unconfirmed_txs') && wanted.includes('total_bytes'),
  },
  { section: 'Every query has a limit', fits: ({ got }) => got.includes('maximum query length exceeded') },
  {
    section: 'A request costs little before it is understood',
    fits: ({ got }) => got.includes('RPC_HEAD_TOO_LARGE') || got.includes('batch request exceeds maximum'),
  },
  {
    section: 'Web pages of other sites',
    fits: ({ got }) => /RPC_FOREIGN_ORIGIN|RPC_FOREIGN_HOST|RPC_UNSAFE_CALL/.test(got),
  },
  {
    section: 'Every condition of a search counts',
    fits: ({ asked }, { wanted, got }) => isDeclaredSearch(asked, wanted, got),
  },
  {
    section: 'A chunk of the genesis that does not exist',
    fits: ({ asked, wanted }) => asked.includes('genesis_chunked') && wanted.includes('index out of range [-'),
  },
  {
    section: 'Heights in evidence are safe integers',
    always: true,
    fits: ({ asked, got }) => asked.includes('broadcast_evidence') && got.includes('is not a safe integer'),
  },
  {
    section: 'Evidence of another type',
    always: true,
    fits: ({ asked, got }) =>
      asked.includes('broadcast_evidence') && got.includes('invalid type ') && got.includes(' for this value'),
  },
  {
    section: 'Broken multipart forms',
    always: true,
    fits: ({ asked }, { exchange }) => exchange.request.body !== undefined && asked.includes('multipart/form-data'),
  },
  {
    section: 'Close frames of WebSockets',
    always: true,
    fits: (_texts, { exchange, wanted, got }) => isDeclaredClose(exchange, wanted, got),
  },
]

/**
 * Returns the heading of the section in DEVIATIONS.md that declares this difference; `undefined` if no section does.
 */
export function declaredIn(answers: DifferentAnswers): string | undefined {
  const { exchange, wanted, got, strict } = answers
  const texts = { asked: JSON.stringify(exchange.request), wanted: JSON.stringify(wanted), got: JSON.stringify(got) }
  return DECLARED.find(({ always, fits }) => (!strict || always === true) && fits(texts, answers))?.section
}
