import { CodedError } from '@org/runtime/errors'

/** The codes of {@link LogError}. */
export const LOG_ERRORS = { level: 'LOG_LEVEL' } as const

export class LogError extends CodedError<(typeof LOG_ERRORS)[keyof typeof LOG_ERRORS]> {}

/**
 * The log levels and their numbers. A logger of a level writes the messages of this level and of all levels with higher
 * numbers.
 */
export const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, none: 100 } as const
export type Level = Exclude<keyof typeof LEVELS, 'none'>

export interface LevelRules {
  readonly all: number
  readonly modules: ReadonlyMap<string, number>
}

const ALLOWED: Readonly<Record<string, number>> = {
  debug: LEVELS.debug,
  info: LEVELS.info,
  error: LEVELS.error,
  none: LEVELS.none,
}

/**
 * Reads a level such as `info`, or pairs of a module and a level such as `consensus:debug,*:error`. `*` means all other
 * modules. Throws a `LogError`.
 */
export function parseLogLevel(text: string): LevelRules {
  const wrong = (part: string): LogError =>
    new LogError(
      LOG_ERRORS.level,
      `log_level = ${JSON.stringify(text)}: ${JSON.stringify(part)} must be debug, info, error or none, or module:level pairs with commas between them`,
      { data: { value: text, part } },
    )
  const modules = new Map<string, number>()
  let all: number = LEVELS.info
  for (const item of (text.includes(':') ? text : `*:${text}`).split(',')) {
    const [module = '', name = '', ...rest] = item.split(':')
    const level = ALLOWED[name]
    if (level === undefined || rest.length > 0) throw wrong(text.includes(':') ? item : text)
    if (module === '*') all = level
    else modules.set(module, level)
  }
  return { all, modules }
}
