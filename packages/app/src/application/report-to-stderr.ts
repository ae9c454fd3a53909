import { escapeControlsInLines } from '@org/runtime'

/** Matches a line of a stack trace whose code is in a library or in the runtime. */
const FOREIGN = /node_modules|node:/
/**
 * Matches the query in the URL of a module, in a line of a stack trace. A program that loads a changed module again
 * gives the URL a query. Editors cannot open a URL with a query.
 */
const QUERY = /\?[^\s?:)]*(?=:\d+:\d+\)?$)/

/** Returns the stack without the lines of libraries; the whole stack if no other line is left. */
function ownStack({ stack = '' }: Error): string {
  const lines = stack.split('\n').map((line) => line.replace(QUERY, ''))
  const isPlace = (line: string): boolean => /^\s+at /.test(line)
  const own = lines.filter((line) => !isPlace(line) || !FOREIGN.test(line))
  return (own.some(isPlace) ? own : lines).join('\n')
}

/**
 * Writes an error of a handler to stderr, with the lines of the stack that belong to the application. The error may
 * contain text of a transaction that a stranger wrote, so control characters are escaped.
 */
export function reportToStderr(error: unknown, where: string): void {
  const text = error instanceof Error ? ownStack(error) : String(error)
  console.error(escapeControlsInLines(`${where} failed: ${text}`))
}
