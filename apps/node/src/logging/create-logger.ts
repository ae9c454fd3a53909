import type { Clock, LogFields, Logger } from '@org/runtime'
import { destination, pino } from 'pino'
import { LEVELS, type Level, parseLogLevel } from './level.ts'
import { plainLine, plainValue } from './plain-line.ts'

/** The lines of one turn of the event loop are written together, or when there are this many characters. */
const BATCH_LENGTH = 8 * 1024

export interface LoggingOptions {
  readonly format: string
  /** As `parseLogLevel` takes it. */
  readonly level: string
  readonly colored?: boolean
  /** A file descriptor or a path; standard output if absent. */
  readonly target?: number | string
}

/** A logger and the end of it. */
export interface Logging {
  readonly logger: Logger
  /** Writes what waits, before the process ends. */
  readonly flush: () => void
}

type Write = (level: Level, module: string, line: { readonly message: string; readonly fields: LogFields }) => void

function withValues(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainValue(value)]))
}

/** Throws a `LogError` for a level that is none. */
export function createLogging(options: LoggingOptions, { clock }: { readonly clock: Clock }): Logging {
  const rules = parseLogLevel(options.level)
  const sink = destination({ dest: options.target ?? 1, sync: true, minLength: BATCH_LENGTH })
  let scheduled = false
  const flush = (): void => {
    scheduled = false
    flushNow(sink)
  }
  const milliseconds = (): number => Number(clock.now() / 1_000_000n)
  const json = (): Write => {
    const log = pino(
      {
        level: 'debug',
        base: null,
        messageKey: '_msg',
        timestamp: () => `,"ts":"${new Date(milliseconds()).toISOString()}"`,
        formatters: { level: (label) => ({ level: label }) },
      },
      sink,
    )
    return (level, module, { message, fields }) => log[level]({ module, ...withValues(fields) }, message)
  }
  const plain: Write = (level, module, { message, fields }) => {
    sink.write(plainLine({ level, ms: milliseconds(), module, message, fields }, options.colored ?? false))
  }
  const write = options.format === 'json' ? json() : plain

  const create = (module: string): Logger => {
    const least = rules.modules.get(module) ?? rules.all
    const at =
      (level: Level) =>
      (message: string, fields: LogFields = {}): void => {
        if (LEVELS[level] < least) return
        write(level, module, { message, fields })
        if (scheduled) return
        scheduled = true
        setImmediate(flush)
      }
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child: create }
  }
  return { logger: create('main'), flush }
}

/** A sink whose reader is gone has nothing to flush to; a node does not stop for that. */
function flushNow(sink: ReturnType<typeof destination>): void {
  try {
    sink.flushSync()
  } catch {
    // Nobody reads the log any more.
  }
}
