import { APP_ERRORS, AppError } from '../errors.ts'
import type { SnapshotOptions } from '../snapshots/index.ts'
import type { Storage } from '../storage/port.ts'
import type { TransactionForm } from '../transaction/index.ts'
import type { Context } from './context.ts'
import type { MessageHandler, QueryHandler } from './routes.ts'

/** The options of {@link createApp}. */
export interface AppOptions {
  /** The name that `info` shows. */
  readonly name?: string
  /**
   * The version of the rules. Raise it when the rules change: nodes with different versions refuse each other's chain.
   * Default: 0.
   */
  readonly appVersion?: number
  /** The handlers by the `type` of a transaction. */
  readonly messages: Readonly<Record<string, MessageHandler>>
  /** The queries by their path without `/`. The names `state` and `nonce` are reserved for the library. */
  readonly queries?: Readonly<Record<string, QueryHandler>>
  /**
   * The handler that makes the first state of the chain. The handler receives the `app_state` of the genesis document.
   * Default: the state begins empty, and `app_state` is ignored.
   */
  readonly genesis?: MessageHandler
  readonly beginBlock?: (context: Context) => void
  readonly endBlock?: (context: Context) => void
  /**
   * True if each transaction must have a signature for this chain. A transaction without a valid signature is refused.
   * Default: `true`.
   */
  readonly signatures?: boolean
  /**
   * True if each signed transaction has a nonce, so that the transaction runs only once. Default: the value of
   * `signatures`. Without nonces, anybody can send a signed transaction again, and its handler runs again. Then each
   * handler must find out itself that a transaction is repeated, and refuse it.
   */
  readonly nonces?: boolean
  /** The maximum gas of a transaction. Default: 1,000,000. */
  readonly maxGas?: number
  /** The storage of the state. Default: in memory. */
  readonly storage?: Storage
  /** The number of versions that queries can read, including the last version. At least 2. Default: 100. */
  readonly keptVersions?: number
  /**
   * The options of snapshots, from which new nodes can begin by state sync. Default: the application takes no
   * snapshots.
   */
  readonly snapshots?: SnapshotOptions
  /**
   * Receives each error that a handler throws, except refusals, and each failure to take or to restore a snapshot.
   * Default: writes the error to stderr.
   */
  readonly onError?: (error: unknown, where: string) => void
}

const RESERVED: readonly string[] = ['state', 'nonce']
const MEMBERS: Readonly<Record<keyof AppOptions, true>> = {
  ...{ name: true, appVersion: true, messages: true, queries: true, genesis: true, beginBlock: true, endBlock: true },
  ...{ signatures: true, nonces: true, maxGas: true, storage: true, keptVersions: true },
  ...{ onError: true, snapshots: true },
}

const bad = (message: string): never => {
  throw new AppError(APP_ERRORS.option, message)
}

function checkCount(value: number | undefined, name: string, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return
  bad(`${name} must be a whole number from ${least}, got ${String(value)}`)
}

function checkAuthentication({ signatures, nonces }: AppOptions): void {
  for (const [name, value] of Object.entries({ signatures, nonces })) {
    if (value !== undefined && typeof value !== 'boolean') bad(`${name} must be true or false, got ${String(value)}`)
  }
  if (signatures === false && nonces === true) {
    bad(
      'nonces need signatures, because only a signature shows which account a nonce belongs to: remove one of the two options',
    )
  }
}

function checkRoutes(options: AppOptions): void {
  for (const [type, entry] of Object.entries(options.messages)) {
    if (typeof entry?.prepare !== 'function') bad(`messages.${type} must be made with message(schema, handler)`)
  }
  for (const [path, entry] of Object.entries(options.queries ?? {})) {
    if (RESERVED.includes(path)) bad(`queries.${path} is taken by the library: choose another name`)
    if (typeof entry?.answer !== 'function') bad(`queries.${path} must be made with query(schema, handler)`)
  }
  if (options.genesis !== undefined && typeof options.genesis.prepare !== 'function') {
    bad('genesis must be made with message(schema, handler)')
  }
}

/** Returns whether each transaction of the application has a signature and a nonce. */
export const transactionForm = ({ signatures = true, nonces = signatures }: AppOptions): TransactionForm => ({
  isSigned: signatures,
  hasNonce: nonces,
})

/** Checks the options. If an option is invalid, throws an {@link AppError} (`APP_BAD_OPTION`) that names the option. */
export function checkOptions(options: AppOptions): void {
  if (typeof options !== 'object' || options === null) bad('createApp needs an object with the member "messages"')
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(MEMBERS, name))
  if (unknown !== undefined)
    bad(`createApp has no option ${JSON.stringify(unknown)}: ${Object.keys(MEMBERS).join(', ')}`)
  if (typeof options.messages !== 'object' || options.messages === null) {
    bad('messages is an object with an entry for each type of transaction')
  }
  checkRoutes(options)
  checkAuthentication(options)
  checkCount(options.appVersion, 'appVersion', 0)
  checkCount(options.maxGas, 'maxGas', 1)
  checkCount(options.keptVersions, 'keptVersions', 2)
  if (options.snapshots === undefined) return
  checkCount(options.snapshots.every ?? 0, 'snapshots.every', 1)
  checkCount(options.snapshots.keep, 'snapshots.keep', 1)
}
