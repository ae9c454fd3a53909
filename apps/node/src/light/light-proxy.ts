import {
  createHttpProvider,
  createLightClient,
  LIGHT_ERRORS,
  type LightClient,
  type LightClientOptions,
  LightError,
  type Provider,
  type TrustRoot,
} from '@org/light'
import type { LevelLightStore } from '@org/light/level'
import { createVerifiedMethods } from '@org/light/verified'
import {
  createReconnectingTransport,
  createRpcClient,
  createWebSocketTransport,
  type RpcTransport,
  type WebSocketLike,
} from '@org/rpc/client'
import { createRelayServer, DEFAULT_RPC_OPTIONS } from '@org/rpc/server'
import { type Clock, createCleanups, createLifecycle, type Logger, type Random } from '@org/runtime'
import { listeningErrors } from '../node/listening-errors.ts'
import type { Runnable } from '../node/serve.ts'
import { createBackwardsClient } from './backwards-client.ts'
import { withCircuitBreaker } from './circuit-breaker.ts'
import { withAdvice } from './errors.ts'
import { createHttpFetch } from './http-fetch.ts'
import { createPrimary } from './primary.ts'
import { openPrimarySocket, socketAddress } from './primary-socket.ts'
import { createReadAhead } from './read-ahead.ts'
import { createLightSignatures } from './signatures.ts'
import { replacingSlowPrimary } from './slow-primary.ts'
import { createVerifiedEvents } from './verified-events.ts'
import { createVerifiedCalls } from './verified-relay.ts'

export interface LightProxyOptions
  extends Pick<LightClientOptions, 'chainId' | 'trustingPeriod' | 'mode' | 'trustLevel'> {
  readonly laddr: string
  readonly maxOpenConnections: number
  /** The address of the node whose answers are verified. */
  readonly primary: string
  /** The addresses of other nodes, which confirm the headers of the primary. */
  readonly witnesses: readonly string[]
  /** The header to trust. If it is absent, the light client continues from its stored headers. */
  readonly trust: TrustRoot | undefined
}

export interface LightProxyModules {
  /** The store of verified headers. The caller closes it. */
  readonly store: LevelLightStore
  readonly confirm: (action: string) => boolean
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/**
 * The time limit of an answer of the primary. A call such as broadcast_tx_commit waits up to 10 s for a block, so this
 * limit is longer than 10 s.
 */
const ANSWER_MS = 15_000
/**
 * The time limit of a client's call. A call may have to wait up to 30 s until a slower witness has the header. It may
 * also have to wait up to 20 s until another node replaces a primary that does not answer. The limit is longer than
 * both waits together.
 */
const CALL_MS = 60_000
/**
 * The limits for calls with old heights. Old heights are verified backwards: header by header, from a trusted block
 * down to the old height. At most `maxVerifications` such verifications run at the same time, and
 * at most `maxWaitingCalls` further calls wait. The sum of both numbers is half of the maximum number of calls that the
 * proxy serves at the same time. So calls with old heights can never block the calls with other heights.
 */
const BACKWARDS_LIMITS = { maxVerifications: 4, maxWaitingCalls: 60 }
/** The number of attempts for one request to a node. The reference makes five. */
const ATTEMPTS = 3

/** Serves the RPC of a node. The answers come from the primary, and are verified. */
export function createLightProxy(options: LightProxyOptions, modules: LightProxyModules): Runnable {
  const { laddr, maxOpenConnections, primary, witnesses, trust, ...settings } = options
  const { store, clock, random, logger, confirm } = modules
  const { chainId } = settings
  const cleanups = createCleanups()

  async function start(signal: AbortSignal): Promise<void> {
    const provider = (url: string): Provider =>
      withCircuitBreaker(
        createHttpProvider(
          { chainId, url, attempts: ATTEMPTS },
          { clock, random, createFetch: createHttpFetch, wrapTransport: createReadAhead },
        ),
        { clock },
      )
    const signatures = createLightSignatures()
    cleanups.add(signatures.stop)
    const { findInvalid } = signatures
    let recent: LightClient | undefined
    const [first, ...others] = replacingSlowPrimary([primary, ...witnesses].map(provider), {
      clock,
      present: () => recent?.providers(),
    })
    recent = await createLightClient(
      { ...settings, backwards: false, ...(trust === undefined ? {} : { trust }) },
      { primary: first as Provider, witnesses: others, store, clock, logger, confirm, signal, findInvalid },
    )
    const light = createBackwardsClient(
      { ...settings, ...BACKWARDS_LIMITS },
      { light: recent, store, clock, logger, findInvalid },
    )
    await checkTrusted(light, settings.trustingPeriod, clock)
    // The addresses of the primary and the witnesses are stored only now. A start that fails must not change the
    // addresses that the next start uses.
    await store.saveProviders({ primary, witnesses })
    const current = createPrimary(ANSWER_MS, { light, clock })
    const connect = (address: string): WebSocketLike => openPrimarySocket(address, { clock })
    const openSocket = (): RpcTransport => createWebSocketTransport(socketAddress(current.address()), { connect })
    const events = createVerifiedEvents({
      open: () => {
        const transport = createReconnectingTransport(openSocket, { clock })
        return createVerifiedMethods({}, { client: createRpcClient(transport), light, clock })
      },
    })
    cleanups.add(() => events.stop('the proxy is stopping'))
    const call = createVerifiedCalls({ callMs: CALL_MS }, { light, primary: current, clock, logger, findInvalid })
    const server = createRelayServer({
      relay: { call, events },
      options: {
        ...DEFAULT_RPC_OPTIONS,
        laddr,
        maxOpenConnections,
        grpcLaddr: '',
        // The server closes a connection one second after this time limit, so that an answer within the limit can still
        // be sent.
        timeoutBroadcastTxCommitMs: CALL_MS,
      },
      clock,
      logger: logger.child('rpc-server'),
    })
    const listener = await listeningErrors(server.listen, { flag: 'laddr' })
    cleanups.add(listener.stop)
    const { addresses } = listener
    const height = await light.lastTrustedHeight()
    logger.info('Starting proxy...', {
      laddr: addresses.join(','),
      chainID: chainId,
      primary: current.address(),
      height,
    })
  }

  const life = createLifecycle({
    name: 'the proxy',
    start: (signal) =>
      start(signal).catch((error: unknown) => {
        throw withAdvice(error)
      }),
    close: cleanups.run,
  })
  return { start: life.start, stop: life.stop, onEnd: () => undefined }
}

/** Throws if the stored headers are too old to verify a new header. With such headers no call could ever succeed. */
async function checkTrusted(light: LightClient, trustingPeriod: bigint, clock: Clock): Promise<void> {
  const block = await light.trustedBlock()
  if (block === undefined || block.header.time + trustingPeriod > clock.now()) return
  const { height } = block.header
  const message = `the verified header at height ${height} is older than the trusting period`
  const data = { trustedHeight: height, expiredAt: block.header.time + trustingPeriod, now: clock.now() }
  throw new LightError(LIGHT_ERRORS.expired, message, { data })
}
