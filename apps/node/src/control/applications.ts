import { basename, dirname, resolve } from 'node:path'
import type { Application } from '@org/abci'
import { connectApplications, type DevnetOptions } from '@org/simnet/devnet'
import type { CommandContext } from '../context.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import type { OpenedHome } from '../home/open-home.ts'
import { builtInApplications, isAddress } from '../node/application.ts'
import { restartCommand } from './restart-command.ts'

export interface ApplicationChoices {
  readonly validators: number
  /** A file with an application, which runs in this process. */
  readonly file: string | undefined
  /** A shell command that starts the application again with its first state. The application is in another process. */
  readonly restart: string | undefined
}

export interface ControlledApplications {
  readonly app: DevnetOptions['app']
  /** The description of the application in the banner. */
  readonly label: string
  /**
   * Loads the file of the application again, for the next start of a validator. Rejects if the file cannot be loaded.
   */
  readonly load?: () => Promise<void>
  /** The files of the application, with their texts. */
  readonly files?: () => ReadonlyMap<string, string | undefined>
  readonly close: () => Promise<void>
}

/** The maximum time for one answer of an application, and also for one restart, in milliseconds of real time. */
export const ANSWER_WITHIN_MS = 60_000

/**
 * If the applications do not answer within this number of milliseconds, the command prints which answers it waits for.
 */
const SILENT_MS = 1000

async function fromFile(given: string, folder: string): Promise<ControlledApplications> {
  const { loadApplication } = await import('../app-devnet/load-application.ts')
  const { createModuleGraph } = await import('../app-devnet/module-graph.ts')
  const file = resolve(folder, given)
  const graph = createModuleGraph(dirname(file))
  let loaded: Application | undefined
  return {
    // Each start of a validator needs an application without a state, so a loaded application is used only once.
    app: () => {
      const next = loaded
      loaded = undefined
      return next ?? loadApplication(graph, file)
    },
    label: basename(file),
    load: async () => {
      loaded = await loadApplication(graph, file)
    },
    files: graph.files,
    close: async () => graph.close(),
  }
}

async function fromAddresses(
  addresses: readonly string[],
  choices: ApplicationChoices,
  { home, context, signal }: Opening,
): Promise<ControlledApplications> {
  const { validators, restart } = choices
  if (addresses.length < validators) {
    const message = `proxy_app has ${addresses.length} addresses and the devnet has ${validators} validators: give one address for each of them, with commas between them. Further addresses are for validators that dev_validators adds`
    throw new CliError(CLI_ERRORS.usage, message)
  }
  const transport = home.config.base.abci === 'grpc' ? 'grpc' : 'socket'
  const places = addresses.join(', ')
  const reminder = context.clock.after(SILENT_MS, () =>
    context.out(
      `\n  Waiting for the application at ${places}. Start it, or name another one: --proxy_app kvstore is the built-in key-value store.\n`,
    ),
  )
  const app = await connectApplications(
    { addresses, transport, startWithinMs: ANSWER_WITHIN_MS },
    {
      clock: context.clock,
      logger: home.logger,
      restart: restart === undefined ? undefined : restartCommand(restart, context.workingFolder),
    },
    signal,
  ).finally(() => reminder.cancel())
  return { app, label: `the application at ${places}`, close: app.close }
}

export interface Opening {
  readonly home: OpenedHome
  readonly context: CommandContext
  readonly signal: AbortSignal
}

/** Throws a `CliError` for `--app-restart` with an application in this process. */
export function checkApplicationChoices(proxyApp: string, { file, restart }: ApplicationChoices): void {
  const isRemote = file === undefined && proxyApp.split(',').every((each) => isAddress(each.trim()))
  if (restart === undefined || isRemote) return
  const message = '--app-restart is for an application in another process: give its address with --proxy_app'
  throw new CliError(CLI_ERRORS.usage, message)
}

/**
 * Opens the applications of a devnet: applications from a file, at addresses, or built-in ones. Waits until the
 * applications at addresses answer.
 */
export async function openControlledApplications(
  choices: ApplicationChoices,
  opening: Opening,
): Promise<ControlledApplications> {
  const { home, context } = opening
  if (choices.file !== undefined) return fromFile(choices.file, context.workingFolder)
  const { proxyApp } = home.config.base
  const addresses = proxyApp.split(',').map((each) => each.trim())
  if (addresses.every(isAddress)) return fromAddresses(addresses, choices, opening)
  const app = await builtInApplications(proxyApp, home.logger)
  return {
    app,
    label: proxyApp === 'noop' ? 'an application that does nothing' : 'a key-value store',
    close: async () => undefined,
  }
}
