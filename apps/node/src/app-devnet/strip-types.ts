import { stripTypeScriptTypes } from 'node:module'
import { messageOf } from '@org/runtime'
import { APP_ERRORS, AppError } from './errors.ts'

const UNSUPPORTED = 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'

/**
 * Patterns for TypeScript syntax that is more than types and cannot be removed. Each has advice about what to write
 * instead.
 */
const INSTEAD: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/enum/, 'write an object instead: const Color = { red: 0, green: 1 } as const'],
  [/parameter property/, 'declare the field in the class, and assign it in the constructor'],
  [/namespace|module/, 'write a file with exports instead'],
  [/(import equals|export assignment)/, "write import ... from '...' or export default instead"],
]

/**
 * Removes the types from a TypeScript source. All other code keeps its line and column. Throws an `AppError` that shows
 * the line if the source has invalid syntax, or TypeScript syntax that is more than types, such as an enum. `name` is
 * the file's name in errors.
 */
export function stripTypes(source: string, name: string): string {
  try {
    return stripTypeScriptTypes(source)
  } catch (error) {
    throw syntaxError(error, name)
  }
}

function syntaxError(error: unknown, name: string): AppError {
  const message = messageOf(error)
  const { line, excerpt } = locationOf(error)
  const where = line === undefined ? name : `${name}:${line}`
  const isUnsupported = (error as { code?: unknown }).code === UNSUPPORTED
  const instead = INSTEAD.find(([pattern]) => pattern.test(message))?.[1]
  const advice = isUnsupported
    ? `. The types of the file are removed and nothing else is changed, so only types may be TypeScript${instead === undefined ? '' : `: ${instead}`}`
    : ''
  return new AppError(APP_ERRORS.syntax, `${where}: ${message}${advice}${excerpt}`, {
    data: { file: name, ...(line === undefined ? {} : { line }) },
    cause: error,
  })
}

/**
 * Returns the number of the line with wrong syntax, and the text of this line with a mark below it. The runtime writes
 * the number and the text before the stack of the error.
 */
function locationOf(error: unknown): { readonly line?: number; readonly excerpt: string } {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const [head = ''] = stack.split('\n\n')
  const [place = '', ...lines] = head.split('\n')
  const found = /:(\d+)$/.exec(place)
  if (found === null) return { excerpt: '' }
  return { line: Number(found[1]), excerpt: `\n${lines.map((text) => `    ${text}`).join('\n')}` }
}
