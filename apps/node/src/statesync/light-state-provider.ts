import { RESTORE_ERRORS, RestoreError, type StateProvider, stateFromBlocks } from '@org/engine'
import {
  boundedFetch,
  createHttpProvider,
  createLightClient,
  createMemoryLightStore,
  LIGHT_ERRORS,
  type LightClient,
  LightError,
  type Provider,
  type ProviderRetry,
  type TrustRoot,
} from '@org/light'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import { type Clock, isCodedError, type Logger, messageOf, type Random } from '@org/runtime'
import type { Header } from '@org/types/block'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { ConsensusParams, hashConsensusParams } from '@org/types/params'

export interface LightStateOptions {
  readonly chainId: string
  readonly initialHeight: number
  /** At least two addresses of RPC servers. */
  readonly servers: readonly string[]
  readonly trust: TrustRoot
  /** Nanoseconds. */
  readonly trustPeriod: bigint
}

export interface LightStateModules {
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly signal: AbortSignal
}

/** Errors after which no height can be proven. All others concern one height, or pass. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  [LIGHT_ERRORS.trustHash, 'correct statesync.trust_height and statesync.trust_hash, or statesync.rpc_servers'],
  [LIGHT_ERRORS.expired, 'set a newer statesync.trust_height and trust_hash: halley snapshot trust-root prints them'],
  [LIGHT_ERRORS.noWitnesses, 'add servers of other operators to statesync.rpc_servers'],
  [
    LIGHT_ERRORS.conflict,
    'the servers disagree: find out which of statesync.rpc_servers is right, and remove the others',
  ],
  [
    LIGHT_ERRORS.attack,
    'the servers disagree: find out which of statesync.rpc_servers is right, and remove the others',
  ],
  [LIGHT_ERRORS.option, 'correct the settings of [statesync]'],
])

function fatal(cause: unknown, advice: string): RestoreError {
  return new RestoreError(RESTORE_ERRORS.servers, `no state can be proven (${messageOf(cause)}): ${advice}`, { cause })
}

async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const advice = isCodedError(error) ? ADVICE.get(error.code) : undefined
    throw advice === undefined ? error : fatal(error, advice)
  }
}

/** The parameters of a chain take about 600 bytes. */
const PARAMS_BOUNDS = { maxBytes: 64 * 1024, maxItems: 1000 }

function paramsClient(url: string) {
  return createRpcClient(createHttpTransport(url, { fetch: boundedFetch(globalThis.fetch, PARAMS_BOUNDS, url) }))
}

/** The parameters of a height. The header proves only the limits of a block, so all servers that answer must agree. */
async function paramsOf(
  { height, consensusHash }: Header,
  servers: readonly Provider[],
  signal: AbortSignal,
): Promise<ConsensusParams> {
  const answers = await Promise.allSettled(
    servers.map(({ name }) => paramsClient(name).consensusParams({ height }, { signal })),
  )
  const proven = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.consensusParams] : []))
  const [first] = proven.filter((params) => equalBytes(hashConsensusParams(params), consensusHash))
  if (first === undefined)
    throw new LightError(LIGHT_ERRORS.noResponse, `no server has the consensus parameters of height ${height}`)
  const bytes = bytesToHex(ConsensusParams.encode(first))
  if (proven.some((params) => bytesToHex(ConsensusParams.encode(params)) !== bytes)) {
    throw fatal(`other consensus parameters at height ${height}`, ADVICE.get(LIGHT_ERRORS.conflict) as string)
  }
  return first
}

/**
 * Proves states by a light client: it begins with a header that the operator trusts, fetches from the first server, and
 * compares with the others. Throws a `RestoreError` that says what to do.
 */
export async function createLightStateProvider(
  { chainId, initialHeight, servers, trust, trustPeriod }: LightStateOptions,
  { clock, random, logger, signal }: LightStateModules,
): Promise<StateProvider> {
  const onRetry = ({ provider, error, pauseMs }: ProviderRetry): void =>
    logger.warn('An RPC server does not answer, will ask again', { provider, pauseMs, err: messageOf(error) })
  const [primary, ...witnesses] = servers.map((url) => createHttpProvider({ chainId, url }, { clock, random, onRetry }))
  if (primary === undefined) throw fatal('no server is given', 'set statesync.rpc_servers')
  const light: LightClient = await createLightClient(
    { chainId, trust, trustingPeriod: trustPeriod },
    { primary, witnesses, store: createMemoryLightStore(), clock, logger, signal },
  ).catch((error: unknown) => {
    signal.throwIfAborted()
    const advice = isCodedError(error) ? ADVICE.get(error.code) : undefined
    throw fatal(error, advice ?? 'check that statesync.rpc_servers can be reached and have the block of trust_height')
  })
  const at = (height: number, signal: AbortSignal) => explained(light.verifyAtHeight(height, { signal }))

  return {
    appHash: async (height, signal) => {
      const { header } = await at(height + 1, signal)
      // The state needs this height too: a snapshot that is too new is put aside before it is offered.
      await at(height + 2, signal)
      return header.appHash
    },
    commit: async (height, signal) => (await at(height, signal)).commit,
    state: async (height, signal) => {
      const last = await at(height, signal)
      const current = await at(height + 1, signal)
      const next = await at(height + 2, signal)
      const { primary, witnesses } = light.providers()
      const consensusParams = await paramsOf(current.header, [primary, ...witnesses], signal)
      return stateFromBlocks({ last, current, next }, { initialHeight, consensusParams })
    },
  }
}
