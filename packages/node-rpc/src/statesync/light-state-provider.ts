import {
  agreedParams,
  checkPriorities,
  createStateProvider,
  type ParamsSource,
  RESTORE_ERRORS,
  RestoreError,
  type StateProvider,
} from '@org/engine'
import {
  createLightClient,
  createMemoryLightStore,
  LIGHT_ERRORS,
  type LightBlock,
  type LightClient,
  type LightClientModules,
  type Provider,
  type TrustRoot,
} from '@org/light'
import { type Clock, dropOldest, isCodedError, type Logger, messageOf } from '@org/runtime'

/** The chain and the trusted header from which the light client of state sync begins. */
export interface LightStateOptions {
  readonly chainId: string
  readonly initialHeight: number
  readonly trust: TrustRoot
  /** The time in nanoseconds for which a header is trusted, counted from the time in the header. */
  readonly trustPeriod: bigint
}

/** A server that sends headers and consensus parameters. The server is not trusted. */
export interface StateServer extends Provider, ParamsSource {}

/** The servers, the clock, the logger and the signal of the light client. */
export interface LightStateModules extends Pick<LightClientModules, 'findInvalid'> {
  /** At least two servers. The first server sends the headers, which are compared with those of the other servers. */
  readonly servers: readonly StateServer[]
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
}

/**
 * The maximum number of heights that are remembered because the servers sent the same proposer priorities. The restore
 * of one snapshot needs three heights.
 */
const MAX_CONFIRMED = 100

const DISAGREE = 'the servers disagree: find out which of statesync.rpc_servers is right, and remove the others'

/**
 * The advice for the operator by the code of an error. The codes are of permanent errors: after such an error, state
 * sync can prove no height. An error with another code is temporary or concerns only one height.
 */
const ADVICE: ReadonlyMap<string, string> = new Map([
  [LIGHT_ERRORS.trustHash, 'correct statesync.trust_height and statesync.trust_hash, or statesync.rpc_servers'],
  [LIGHT_ERRORS.expired, 'set a newer statesync.trust_height and trust_hash: halley snapshot trust-root prints them'],
  [LIGHT_ERRORS.noWitnesses, 'add servers of other operators to statesync.rpc_servers'],
  [LIGHT_ERRORS.conflict, DISAGREE],
  [LIGHT_ERRORS.priorities, DISAGREE],
  [LIGHT_ERRORS.attack, DISAGREE],
  [LIGHT_ERRORS.option, 'correct the settings of [statesync]'],
])
/**
 * The advice for the operator if state sync cannot begin, for each code of an error. At that time, an error means that
 * the trusted header or the servers in the configuration are wrong.
 */
const BEGIN_ADVICE: ReadonlyMap<string, string> = new Map([
  ...ADVICE,
  [
    LIGHT_ERRORS.badBlock,
    'check that statesync.rpc_servers and the genesis file are of the same chain, and that these servers are honest',
  ],
  [LIGHT_ERRORS.heightTooHigh, 'correct statesync.trust_height, or name servers that follow the chain'],
  [
    LIGHT_ERRORS.notFound,
    'set a newer statesync.trust_height and trust_hash (halley snapshot trust-root prints them), or name servers that have the block of trust_height',
  ],
])
const UNREACHABLE = 'check that statesync.rpc_servers can be reached and have the block of trust_height'

function adviceFor(error: unknown, advice: ReadonlyMap<string, string>): string | undefined {
  return isCodedError(error) ? advice.get(error.code) : undefined
}

function fatal(cause: unknown, advice: string): RestoreError {
  return new RestoreError(RESTORE_ERRORS.servers, `no state can be proven (${messageOf(cause)}): ${advice}`, { cause })
}

async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const advice = adviceFor(error, ADVICE)
    throw advice === undefined ? error : fatal(error, advice)
  }
}

/**
 * Creates the provider of states for state sync. The provider proves each state with a light client. The light client
 * begins with a header that the operator trusts. It fetches headers from the first server, and compares them with those
 * of the other servers. If the light client cannot begin, throws a `RestoreError` (`STATESYNC_SERVERS`) that says what
 * the operator should do.
 */
export async function createLightStateProvider(
  { chainId, initialHeight, trust, trustPeriod }: LightStateOptions,
  { servers, clock, logger, signal, findInvalid }: LightStateModules,
): Promise<StateProvider> {
  const [primary, ...witnesses] = servers
  if (primary === undefined) throw fatal('no server is given', 'set statesync.rpc_servers')
  const light: LightClient = await createLightClient(
    { chainId, trust, trustingPeriod: trustPeriod },
    { primary, witnesses, store: createMemoryLightStore(), clock, logger, signal, ...(findInvalid && { findInvalid }) },
  ).catch((error: unknown) => {
    signal.throwIfAborted()
    throw fatal(error, adviceFor(error, BEGIN_ADVICE) ?? UNREACHABLE)
  })

  /** Returns the servers that are still in use. Servers that sent a wrong answer are no longer in this list. */
  function present(): readonly StateServer[] {
    const { primary, witnesses } = light.providers()
    return servers.filter((server) => server === primary || witnesses.includes(server))
  }

  /**
   * The heights at which the servers sent the same proposer priorities. The priorities at these heights are not
   * compared again.
   */
  const confirmed = new Set<number>()

  /**
   * Returns the verified block of a height. The hash of a header does not cover the proposer priorities, so the
   * priorities of the servers must be compared. The light client does this only for blocks above the trusted height.
   * For all other blocks, this function compares the priorities of the block with those of the servers.
   */
  async function blockAt(height: number, signal: AbortSignal): Promise<LightBlock> {
    const block = await explained(light.verifyAtHeight(height, { signal }))
    if (height > trust.height || confirmed.has(height)) return block
    const sources = present().map(({ name, lightBlock }) => ({
      name,
      blockAt: (at: number, either: AbortSignal) => lightBlock(at, { signal: either }),
    }))
    await checkPriorities(block, sources, signal)
    confirmed.add(height)
    dropOldest(confirmed, MAX_CONFIRMED)
    return block
  }

  return createStateProvider({
    initialHeight,
    blockAt,
    paramsOf: (header, signal) => agreedParams(header, present(), signal),
  })
}
