export interface VolatileRule {
  /** A pattern with `*` and `?`. The rule applies to all exchanges (recorded requests) whose ids match the pattern. */
  readonly id: string
  /** A regular expression for the paths of the members that may differ. */
  readonly path: string
  readonly reason: string
}

export interface DeviationRule {
  readonly id: string
  readonly reason: string
  /**
   * If true, the rule permits a different answer only if the recorded answer is an error about arguments: the recorded
   * node refused the arguments, or crashed because they were missing. If the recorded answer is not such an error, the
   * answer must stay the same.
   */
  readonly refused?: boolean
}

/** An answer: its status, its headers, and its body or the frames of a WebSocket. */
type Response = Readonly<Record<string, unknown>>

/**
 * The texts of two errors of the reference. The reference sends the first error when it refuses arguments in JSON. It
 * sends the second error when it crashes because a call has no `params`.
 */
const REFUSED_ARGUMENTS = ['error converting json params to arguments', 'reflect: Call with too few input arguments']

function isRefusal({ body, frames }: Response): boolean {
  const text = JSON.stringify([body, frames])
  return REFUSED_ARGUMENTS.some((words) => text.includes(words))
}

export interface Difference {
  readonly path: string
  readonly wanted: unknown
  readonly got: unknown
}

export type Comparison = 'equal' | 'volatile' | 'deviation' | 'different'

/**
 * Returns a regular expression that matches a whole text. `*` and `?` in the pattern have the meaning that they have
 * in a shell.
 */
export function globToRegExp(glob: string): RegExp {
  const pattern = glob
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${pattern}$`, 's')
}

/**
 * Parses a body or frame that is JSON, and keeps each number as the text of its digits. Returns any other value
 * unchanged.
 */
function parse(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value, ((_key, parsed: unknown, context?: { readonly source: string }) =>
      typeof parsed === 'number' ? `#${context?.source}` : parsed) as (key: string, value: unknown) => unknown)
  } catch {
    return value
  }
}

function unfold(response: Response): Response {
  const frames = response.frames as readonly unknown[] | undefined
  return {
    ...response,
    ...('body' in response ? { body: parse(response.body) } : {}),
    ...(frames === undefined ? {} : { frames: frames.map(parse) }),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function* differences(wanted: unknown, got: unknown, path = ''): Generator<Difference> {
  if (Array.isArray(wanted) && Array.isArray(got)) {
    if (wanted.length !== got.length) yield { path: `${path}.length`, wanted: wanted.length, got: got.length }
    const length = Math.min(wanted.length, got.length)
    for (let i = 0; i < length; i++) yield* differences(wanted[i], got[i], `${path}[${i}]`)
  } else if (isRecord(wanted) && isRecord(got)) {
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
      yield* differences(wanted[key], got[key], `${path}.${key}`)
    }
  } else if (wanted !== got) yield { path, wanted, got }
}

/** Returns true if `path` is `parent` or a member below it. */
const isWithin = (path: string, parent: string): boolean =>
  path === parent || path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`)

/**
 * Returns the differences between two answers. Bodies and frames that are JSON are compared as parsed values. Two
 * bodies or two frames may also have equal values in different texts, such as the same JSON with other spaces. The
 * function returns a difference of the texts for these bodies or frames.
 */
function parsedDifferences(wanted: Response, got: Response): readonly Difference[] {
  const parsed = [...differences(unfold(wanted), unfold(got))]
  const texts = [...differences(wanted, got)].filter(({ path }) => isWithin(path, '.body') || isWithin(path, '.frames'))
  return [...parsed, ...texts.filter((text) => !parsed.some(({ path }) => isWithin(path, text.path)))]
}

/** Compares one answer with its recording, by the rules for members that may differ and for declared deviations. */
export function judge(
  exchange: { readonly id: string; readonly response: Response },
  got: Response,
  rules: { readonly volatile: readonly VolatileRule[]; readonly deviations: readonly DeviationRule[] },
): { readonly comparison: Comparison; readonly differences: readonly Difference[] } {
  const found = parsedDifferences(exchange.response, got)
  if (found.length === 0) return { comparison: 'equal', differences: [] }
  const allowed = (path: string): boolean =>
    rules.volatile.some(
      (rule) => globToRegExp(rule.id).test(exchange.id) && new RegExp(`^(?:${rule.path})$`).test(path),
    )
  // Two bodies with different lengths have different values, or equal values in different texts. The function
  // `parsedDifferences` has already returned this difference of the bodies. So a different Content-Length is not
  // counted as a separate difference.
  const real = found.filter(({ path }) => !allowed(path) && path !== '.headers.Content-Length')
  if (real.length === 0) return { comparison: 'volatile', differences: [] }
  const declared = rules.deviations.some(
    (rule) => globToRegExp(rule.id).test(exchange.id) && (rule.refused !== true || isRefusal(exchange.response)),
  )
  return { comparison: declared ? 'deviation' : 'different', differences: real }
}
