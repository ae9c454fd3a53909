import type { Command } from 'commander'
import { fullName } from './usage-error.ts'

/**
 * Returns a warning if the user gave words that the command does not take, such as the `false` of
 * `halley start --rpc.unsafe false`. The command ignores them, as the reference does.
 */
export function ignoredWords(command: Command): string | undefined {
  const words = command.args.slice(command.registeredArguments.length)
  if (words.length === 0) return undefined
  const named = words.map((word) => JSON.stringify(word)).join(', ')
  return `WARNING: ${fullName(command)} ignores ${named}: the command takes only flags; write the value of a boolean flag after "=", such as --FLAG=false\n`
}
