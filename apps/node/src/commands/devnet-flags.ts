import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import type { CommandContext } from '../context.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'

/** The flags of `halley devnet`. */
export interface DevnetOptions {
  /** Whether to use a temporary home, and to remove it at the end. */
  readonly ephemeral?: boolean
  /** The number of validators; default 1. */
  readonly validators?: string
  /** Whether one more node joins by state sync. */
  readonly statesync?: boolean
  /** Whether to open the explorer page of the node in a browser. */
  readonly open?: boolean
  /** Whether to print blocks and transactions as they are committed. */
  readonly log?: boolean
  /** Whether to remove the chain in this home, and to begin a new chain. */
  readonly reset?: boolean
  /** The first state of the application of a new chain: JSON, or the path of a file with JSON. */
  readonly appState?: string
  /** A file with an application, which runs in this process. */
  readonly app?: string
  /** Whether to load the application again when its file changes. */
  readonly watch?: boolean
  /** The reaction to a change of the application's file: `replay` or `reset`. */
  readonly onChange?: string
  /** Whether the RPC controls the blocks, the time and the validators of a chain in memory. */
  readonly control?: boolean
  /** Whether other machines may control the chain. */
  readonly remoteControl?: boolean
  /**
   * A shell command that restarts an application in another process. The restarted application must have its first
   * state.
   */
  readonly appRestart?: string
  /** A file with a dump of a chain. The devnet continues this chain. */
  readonly load?: string
  /** A file into which the chain is written at the end. */
  readonly dump?: string
  /** A stopped home whose chain is copied. */
  readonly fork?: string
}

/** The maximum number of validators. All validators run in one process, so a larger network would be very slow. */
const MAX_VALIDATORS = 50

/**
 * Returns the name of the home for a chain with an application from a file. The name contains the file's path relative
 * to the working folder, without the ending of the file.
 */
function appHomeName(workingFolder: string, file: string): string {
  const path = relative(workingFolder, resolve(workingFolder, file)).replace(/\.[^./\\]*$/, '')
  const names = path.split(/[/\\]/).filter((name) => name !== '..')
  return `app-${names.join('-')}`
}

/**
 * Returns the folder of the chain: a temporary folder for `--ephemeral`, the home that the user chose, or a default
 * folder. Without `--app`, the default folder depends on the number of validators. With `--app`, the default folder
 * depends on the path of the application's file.
 */
export function homeOf(context: CommandContext, count: number, { ephemeral, app }: DevnetOptions): string {
  if (ephemeral === true && context.homeGiven === 'flag') {
    // A temporary home is removed at the end, so the user may not name it with `--home`.
    const message =
      '--ephemeral and --home exclude each other, because --ephemeral uses a temporary home and removes it at the end: leave one of them out'
    throw new CliError(CLI_ERRORS.usage, message)
  }
  if (ephemeral === true) return mkdtempSync(join(tmpdir(), 'halley-devnet-'))
  if (context.homeGiven !== undefined) return context.home
  if (app !== undefined) return join(context.workingFolder, '.halley', appHomeName(context.workingFolder, app))
  return join(context.workingFolder, '.halley', count === 1 ? 'devnet' : `devnet-${count}`)
}

/** Returns the number of validators that the flag names. Throws a `CliError` for another text. */
export function countOf(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= MAX_VALIDATORS) return count
  throw new CliError(
    CLI_ERRORS.usage,
    `invalid argument ${JSON.stringify(text)} for "--validators" flag: a whole number from 1 to ${MAX_VALIDATORS} is expected`,
  )
}

/** Throws a `CliError` for flags that cannot be used together. */
export function checkTogether(options: DevnetOptions, count: number): void {
  const { app, watch, onChange, statesync, control, remoteControl } = options
  if (control === true && (statesync === true || options.reset === true || options.log === true)) {
    throw new CliError(CLI_ERRORS.usage, '--control runs a chain in memory: leave --statesync, --reset and --log out')
  }
  if (control !== true && (options.load !== undefined || options.dump !== undefined))
    throw new CliError(CLI_ERRORS.usage, '--load and --dump need --control: they read and write a chain in memory')
  if (options.load !== undefined && (options.fork !== undefined || options.appState !== undefined))
    throw new CliError(
      CLI_ERRORS.usage,
      '--load begins with the chain and the state of a dump: leave --fork and --app-state out',
    )
  if (options.fork !== undefined && options.appState !== undefined)
    throw new CliError(CLI_ERRORS.usage, '--fork continues with the state of an application, so leave --app-state out')
  if (control !== true && options.appRestart !== undefined)
    throw new CliError(
      CLI_ERRORS.usage,
      '--app-restart needs --control, because only a chain under control can go back to an earlier height',
    )
  if (remoteControl === true && control !== true)
    throw new CliError(
      CLI_ERRORS.usage,
      '--remote-control needs --control, because it lets other machines control the chain: add --control',
    )

  if (statesync === true && count < 2) {
    throw new CliError(
      CLI_ERRORS.usage,
      '--statesync needs at least two validators, which prove the state to the node that joins: add --validators 3',
    )
  }
  if (app === undefined && watch === true) {
    throw new CliError(CLI_ERRORS.usage, '--watch needs --app, which names the file to watch: add --app FILE')
  }
  if (onChange !== undefined && watch !== true) {
    throw new CliError(
      CLI_ERRORS.usage,
      '--on-change needs --watch, which notices the changes of the file: add --watch',
    )
  }
  if (app !== undefined && count > 1 && control !== true) {
    throw new CliError(CLI_ERRORS.usage, '--app runs one validator: leave --validators out, or add --control')
  }
}
