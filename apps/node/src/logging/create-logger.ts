import { createRequire } from 'node:module'
import { type Clock, escapeControlsInLines, type LogFields, type Logger } from '@org/runtime'
import { LEVELS, type Level, parseLogLevel } from './level.ts'
import { plainLine, plainValue } from './plain-line.ts'
import { createSink, type Sink } from './sink.ts'

export interface LoggingOptions {
  readonly format: string
  /** The log level, in the form that `parseLogLevel` reads. */
  readonly level: string
  readonly colored?: boolean
  /** The file descriptor or the path of the log. Default: standard output. */
  readonly target?: number | string
}

/** A logger, with functions that write its waiting lines and that show a status text below the lines. */
export interface Logging {
  readonly logger: Logger
  /** Writes the lines that wait. To be called before the process ends. */
  readonly flush: () => void
  /** On a terminal, shows a status text below all log lines. An empty text removes the status text. */
  readonly showStatus: (text: string) => void
}

type Write = (level: Level, module: string, line: { readonly message: string; readonly fields: LogFields }) => void
type Milliseconds = () => number

function withValues(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainValue(value)]))
}

function writeJson(sink: Sink, now: Milliseconds): Write {
  // pino is loaded only now, because most nodes write the plain form, which does not need pino.
  const { pino } = createRequire(import.meta.url)('pino') as typeof import('pino')
  const log = pino(
    {
      level: 'debug',
      base: null,
      messageKey: '_msg',
      timestamp: () => `,"ts":"${new Date(now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    // JSON does not require escapes for the control characters from U+007F, but a terminal obeys them.
    { write: (line: string) => sink.write(escapeControlsInLines(line)) },
  )
  return (level, module, { message, fields }) => log[level]({ module, ...withValues(fields) }, message)
}

function writePlain(sink: Sink, now: Milliseconds, colored: boolean): Write {
  return (level, module, { message, fields }) =>
    sink.write(plainLine({ level, ms: now(), module, message, fields }, colored))
}

/** Creates a logger with its output. Throws a `LogError` for an unknown level. */
export function createLogging(options: LoggingOptions, { clock }: { readonly clock: Clock }): Logging {
  const { format, level: levelText, colored = false, target = 1 } = options
  const rules = parseLogLevel(levelText)
  const sink = createSink(target, clock)
  const now = (): number => Number(clock.now() / 1_000_000n)
  const write = format === 'json' ? writeJson(sink, now) : writePlain(sink, now, colored)

  const create = (module: string): Logger => {
    const minLevel = rules.modules.get(module) ?? rules.all
    const at =
      (level: Level) =>
      (message: string, fields: LogFields = {}): void => {
        if (LEVELS[level] >= minLevel) write(level, module, { message, fields })
      }
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child: create }
  }
  return { logger: create('main'), flush: sink.flush, showStatus: sink.showStatus }
}
