import type { Command, CommanderError } from 'commander'
import { CLI_ERRORS, CliError } from '../errors.ts'

/** Returns the full name of the command as a user writes it, for example `halley snapshot trust-root`. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}

/** Returns an error for a word that is not a command below `command`. */
export function unknownCommand(name: string, command: Command): CliError {
  const text = `unknown command ${JSON.stringify(name)} for "${command.name()}"`
  return new CliError(CLI_ERRORS.usage, `${text}: ${fullName(command)} --help lists the commands`)
}

/**
 * Returns the reference's text for an error of commander. For an unknown flag, the text also says how the user finds
 * the right flag.
 */
function usageText(error: CommanderError, command: Command): string {
  const quoted = /'([^']+)'/.exec(error.message)?.[1] ?? ''
  if (error.code === 'commander.optionMissingArgument') return `flag needs an argument: ${quoted.split(' ')[0]}`
  if (error.code === 'commander.excessArguments')
    return `accepts ${command.registeredArguments.length} arg(s), received ${command.args.length}`
  if (error.code !== 'commander.unknownOption') return error.message.replace(/^error: /, '')
  const [, similar] = error.message.split('(Did you mean ')
  const hint = similar === undefined ? '' : `did you mean ${similar.split('?)')[0]}? `
  return `unknown flag: ${quoted}: ${hint}${fullName(command)} --help lists the flags`
}

/**
 * Returns the error that the user gets for an error that commander threw while it parsed the arguments of `command`.
 */
function toUsageError(error: CommanderError, command: Command): CliError {
  // For `halley help NAME` with an unknown command NAME, commander throws an error with the message `(outputHelp)`.
  if (error.code === 'commander.help') return unknownCommand(command.args[1] ?? '', command)
  return new CliError(CLI_ERRORS.usage, usageText(error, command))
}

/**
 * Makes `command` throw a `CliError` if its arguments are wrong. After commander has shown the help, it throws an error
 * with the exit code 0. This error is thrown unchanged, because the arguments are not wrong.
 */
export function throwUsageErrors(command: Command): Command {
  return command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : toUsageError(error, command)
  })
}
