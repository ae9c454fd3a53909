import type { Application, ConnectionOptions } from '@org/abci'
import type { Op } from '@org/engine/storage'
import type { RulesName } from '@org/kvstore'
import type { Logger } from '@org/runtime'
import { CLI_ERRORS, CliError } from '../errors.ts'

export interface ApplicationOptions {
  /** The application: `kvstore` or `persistent_kvstore` (both also with `-v0.38`), `noop`, or an address. */
  readonly proxyApp: string
  /** The kind of the connection to the application: `socket` or `grpc`. Used only if `proxyApp` is an address. */
  readonly transport: string
  /** The folder of a persistent application's database. */
  readonly databases: string
}

/** The way to reach the application. `close` is called after the connections to the application are closed. */
export interface OpenedApplication {
  readonly connection: ConnectionOptions
  readonly close: () => Promise<void>
}

const NOTHING_TO_CLOSE = (): Promise<void> => Promise.resolve()
const ADDRESS = /^(unix:\/\/.+|(tcp:\/\/)?.*:\d+)$/

/**
 * Matches the names of the built-in applications. In the reference, the endings `_connsync` and `_unsync` choose a kind
 * of lock. They have no effect in Halley.
 */
const BUILT_IN = /^(kvstore|persistent_kvstore|noop)(-v0\.38)?(_connsync|_unsync)?$/

async function openKvStore(
  options: { readonly persistent: boolean; readonly rules: RulesName | undefined; readonly databases: string },
  logger: Logger,
): Promise<OpenedApplication> {
  const kvstore = await import('@org/kvstore')
  const { rules = kvstore.DEFAULT_RULES, databases } = options
  const state = options.persistent ? 'database' : 'memory'
  const app = await kvstore.openKvStore({ rules, state, dir: databases, logger })
  // The kvstore gets the requests without copying, because it does not change them. A test of the kvstore shows this.
  return { connection: { kind: 'local', app, copiesRequests: false }, close: app.close }
}

/**
 * Returns the name of the built-in kvstore that has the same rules as the kvstore of the Go node. For example, returns
 * `kvstore-v0.38` if `proxyApp` is `kvstore`. Returns `undefined` if `proxyApp` is not a built-in kvstore, or if its
 * name already ends with `-v0.38`.
 */
export function withReferenceRules(proxyApp: string): string | undefined {
  const [, name, version] = BUILT_IN.exec(proxyApp) ?? []
  return name === undefined || name === 'noop' || version !== undefined ? undefined : `${name}-v0.38`
}

/** Returns the databases of a built-in application that are in the node's folder. */
export function applicationDatabases(proxyApp: string): readonly string[] {
  return BUILT_IN.exec(proxyApp)?.[1] === 'persistent_kvstore' ? ['kvstore.db'] : []
}

/**
 * Returns a function that makes a built-in application. The application keeps its state in memory, even if its name is
 * `persistent_kvstore`. The returned function writes the entries in `state` into the empty database of the new
 * application. Rejects with a `CliError` for an application that is not built in.
 */
export async function builtInApplications(
  proxyApp: string,
  logger: Logger,
): Promise<(state?: readonly Op[]) => Application | Promise<Application>> {
  const [, name, version] = BUILT_IN.exec(proxyApp) ?? []
  if (name === 'noop') return () => ({})
  if (name !== undefined) {
    const kvstore = await import('@org/kvstore')
    const rules = version === undefined ? kvstore.DEFAULT_RULES : 'v0.38'
    return async (state = []) => {
      const store = kvstore.createMemoryStorage()
      await store.write(state)
      return kvstore.createKvStore({ rules, logger, store })
    }
  }
  const message = `proxy_app = ${JSON.stringify(proxyApp)}: must be kvstore, kvstore-v0.38, noop, or the address of an application such as tcp://127.0.0.1:26658, one for each validator with commas between them. For an application in a file, use --app`
  throw new CliError(CLI_ERRORS.usage, message, { data: { proxyApp } })
}

/** Whether `proxyApp` is the address of an application in another process. */
export function isAddress(proxyApp: string): boolean {
  return !BUILT_IN.test(proxyApp) && ADDRESS.test(proxyApp)
}

/**
 * Opens a built-in application, or returns the address of an application in another process. Throws a `CliError` for an
 * unknown name.
 */
export async function openApplication(options: ApplicationOptions, logger: Logger): Promise<OpenedApplication> {
  const { proxyApp, transport, databases } = options
  const [, name, version] = BUILT_IN.exec(proxyApp) ?? []
  if (name === 'noop') {
    const noop: Application = {}
    return { connection: { kind: 'local', app: noop }, close: NOTHING_TO_CLOSE }
  }
  if (name !== undefined) {
    const rules = version === undefined ? undefined : 'v0.38'
    return openKvStore({ persistent: name === 'persistent_kvstore', rules, databases }, logger)
  }
  if (!ADDRESS.test(proxyApp)) {
    throw new CliError(
      CLI_ERRORS.usage,
      `proxy_app = ${JSON.stringify(proxyApp)}: must be kvstore, persistent_kvstore, kvstore-v0.38, persistent_kvstore-v0.38, noop, or an address such as tcp://127.0.0.1:26658 or unix:///tmp/app.sock`,
      { data: { proxyApp } },
    )
  }
  return {
    connection: { kind: transport === 'grpc' ? 'grpc' : 'socket', address: proxyApp },
    close: NOTHING_TO_CLOSE,
  }
}
