import { escapeControls, escapeControlsInLines, type Logger, messageOf, noopLogger } from '@org/runtime'

/** Returns the fields of a log line about an error that the application threw. */
export function thrown(error: unknown): { readonly error: string; readonly stack?: string } {
  const stack = error instanceof Error ? error.stack : undefined
  return stack === undefined ? { error: messageOf(error) } : { error: messageOf(error), stack }
}

/**
 * A logger that writes errors to stderr, each with its fields and its stack. Log lines of all other levels are dropped.
 * An error may contain text of a transaction that a stranger wrote, so control characters are escaped.
 */
export const stderrLogger: Logger = {
  ...noopLogger,
  error: (message, { stack, ...fields } = {}) => {
    const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    const trace = typeof stack === 'string' ? `${escapeControlsInLines(stack)}\n` : ''
    process.stderr.write(`${escapeControls(`abci: ${message}${pairs.join('')}`)}\n${trace}`)
  },
  child: () => stderrLogger,
}
