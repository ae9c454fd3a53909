import { type Logger, messageOf, noopLogger } from '@org/runtime'

/** Returns the fields of a log line about an error that the application threw. */
export function thrown(error: unknown): { readonly error: string; readonly stack?: string } {
  const stack = error instanceof Error ? error.stack : undefined
  return stack === undefined ? { error: messageOf(error) } : { error: messageOf(error), stack }
}

/**
 * A logger that writes errors to stderr, each with its fields and its stack. Log lines of all other levels are dropped.
 */
export const stderrLogger: Logger = {
  ...noopLogger,
  error: (message, { stack, ...fields } = {}) => {
    const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    process.stderr.write(`abci: ${message}${pairs.join('')}\n${typeof stack === 'string' ? `${stack}\n` : ''}`)
  },
  child: () => stderrLogger,
}
