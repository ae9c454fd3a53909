import { parseArgs } from 'node:util'

/**
 * A parsed command line. Numbers are whole and within their ranges; `--only` and `--name` may still have unknown names.
 */
export type Command =
  | { readonly kind: 'help' | 'speed' }
  | ({ readonly kind: 'seeds'; readonly from: number; readonly to: number } & Many)
  | { readonly kind: 'seed'; readonly seed: number; readonly trace: string | undefined }
  | { readonly kind: 'name' | 'crash point'; readonly name: string; readonly trace: string | undefined }
  | ({ readonly kind: 'crash' | 'short'; readonly only: string | undefined; readonly every: number } & Many)
  | ({ readonly kind: 'chosen' } & Many)
  | ({ readonly kind: 'join'; readonly from: number; readonly to: number } & Many)
  | { readonly kind: 'mutants'; readonly only: readonly string[] | undefined; readonly searched: number }
  | { readonly kind: 'kill'; readonly kills: number }
  | { readonly kind: 'explore'; readonly rounds: number }

interface Many {
  readonly fresh: boolean
  readonly workers: number | undefined
}

/** The largest seed, because seeds have 32 bits. */
const LAST_SEED = 2 ** 32 - 1
const MAX_ROUNDS = 3
/**
 * The maximum number of seeds in one run. The number is limited, because a run makes the scenarios of all its networks
 * before the first network starts.
 */
const MAX_SEEDS = 100_000
/**
 * The maximum number of valid names that the error for an unknown name lists. If there are more valid names, the error
 * lists none of them.
 */
const MAX_NAMES = 20

const OPTIONS = {
  seeds: { type: 'string' },
  seed: { type: 'string' },
  trace: { type: 'string' },
  only: { type: 'string' },
  rounds: { type: 'string' },
  kills: { type: 'string' },
  crash: { type: 'string' },
  name: { type: 'string' },
  every: { type: 'string' },
  workers: { type: 'string' },
  searched: { type: 'string' },
  fresh: { type: 'boolean' },
  help: { type: 'boolean' },
} as const
type Option = keyof typeof OPTIONS

/**
 * The options of each command. The commands above the empty line are chosen by a word, such as `crash`. The commands
 * below the empty line are chosen by an option, such as `--seed`. A command line may have only one option that chooses
 * a command.
 */
const TAKES: Readonly<Record<Exclude<Command['kind'], 'help'>, readonly Option[]>> = {
  crash: ['only', 'every', 'workers', 'fresh'],
  short: ['only', 'every', 'workers', 'fresh'],
  chosen: ['workers', 'fresh'],
  join: ['seeds', 'workers', 'fresh'],
  mutants: ['only', 'searched'],
  kill: ['kills'],
  explore: ['rounds'],
  speed: [],

  seeds: ['seeds', 'workers', 'fresh'],
  seed: ['seed', 'trace'],
  name: ['name', 'trace'],
  'crash point': ['crash', 'trace'],
}
const WORDS = ['crash', 'short', 'chosen', 'join', 'mutants', 'kill', 'explore', 'speed'] as const

/** The error for an invalid command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Parses a command line. Throws a {@link UsageError} with one line of text. */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parsed(args)
  const kind = kindOf(values, positionals)
  if (kind === 'help') return { kind }
  for (const option of Object.keys(values) as Option[]) {
    if (!TAKES[kind].includes(option)) throw new UsageError(`${nameOf(kind)} does not take --${option}`)
  }

  function whole(option: Option, { min, max }: { min: number; max: number }): number | undefined {
    const text = values[option]
    if (typeof text !== 'string') return undefined
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= min && number <= max) return number
    throw new UsageError(`--${option} ${text}: give a whole number from ${min} to ${max}`)
  }
  const positive = { min: 1, max: 1_000_000 }
  const { trace, only, fresh = false } = values
  const many: Many = { fresh, workers: whole('workers', { min: 1, max: 1024 }) }

  switch (kind) {
    case 'seeds':
      return { kind, ...seedsOf(values.seeds ?? ''), ...many }
    case 'seed':
      return { kind, seed: whole('seed', { min: 0, max: LAST_SEED }) ?? 0, trace }
    case 'name':
      return { kind, name: values.name ?? '', trace }
    case 'crash point':
      return { kind, name: values.crash ?? '', trace }
    case 'crash':
    case 'short':
      return { kind, only, every: whole('every', positive) ?? 1, ...many }
    case 'chosen':
      return { kind, ...many }
    case 'join':
      return { kind, ...seedsOf(values.seeds ?? '1..200'), ...many }
    case 'mutants':
      return { kind, only: only?.split(','), searched: whole('searched', { ...positive, min: 0 }) ?? 400 }
    case 'kill':
      return { kind, kills: whole('kills', positive) ?? 200 }
    case 'explore':
      return { kind, rounds: whole('rounds', { min: 1, max: MAX_ROUNDS }) ?? 1 }
    case 'speed':
      return { kind }
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n')
    throw new UsageError(line)
  }
}

const nameOf = (kind: Command['kind']): string =>
  kind === 'crash point' ? '--crash' : (WORDS as readonly string[]).includes(kind) ? kind : `--${kind}`

function kindOf(values: Partial<Record<Option, unknown>>, positionals: readonly string[]): Command['kind'] {
  const [word, more] = positionals
  if (more !== undefined) throw new UsageError(`${more}: give one command at a time`)
  if (values.help === true) return 'help'
  if (word !== undefined) {
    const found = WORDS.find((each) => each === word)
    if (found === undefined)
      throw new UsageError(`there is no command ${word}: give one of ${WORDS.join(', ')}, or only options`)
    return found
  }
  for (const kind of ['seeds', 'seed', 'name'] as const) if (values[kind] !== undefined) return kind
  if (values.crash !== undefined) return 'crash point'
  const [option] = Object.keys(values)
  if (option !== undefined) throw new UsageError(`--${option} needs a command, --seeds or --seed`)
  return 'help'
}

function seedsOf(text: string): { readonly from: number; readonly to: number } {
  const [, first, last] = /^(\d+)\.\.(\d+)$/.exec(text) ?? []
  const [from, to] = [Number(first), Number(last)]
  if (to - from >= MAX_SEEDS) throw new UsageError(`--seeds ${text}: give at most ${MAX_SEEDS} seeds at a time`)
  if (from <= to && to <= LAST_SEED) return { from, to }
  throw new UsageError(`--seeds ${text}: give a first and a last seed, such as --seeds 1..200`)
}

/** Throws a {@link UsageError} if one of the names is unknown. */
export function checkNames(given: readonly string[], known: readonly string[]): void {
  const wrong = given.find((name) => !known.includes(name))
  if (wrong === undefined) return
  const all = known.length > MAX_NAMES ? 'no run has this name' : `the names are ${known.join(', ')}`
  throw new UsageError(`--only ${wrong}: ${all}`)
}
