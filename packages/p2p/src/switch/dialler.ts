import { type Clock, isCodedError, type Logger, messageOf, type Random } from '@org/runtime'
import { formatNetAddress, type NetAddress } from '../address/index.ts'
import { REJECTIONS, RejectedError } from '../nodeinfo/index.ts'
import type { ByteTransport } from '../transport/index.ts'
import type { SwitchOptions } from './options.ts'
import { reconnect } from './reconnect.ts'
import type { StreamFactory } from './stream-factory.ts'

export interface DiallerModules {
  readonly streams: StreamFactory
  readonly admit: (transport: ByteTransport, dialled: NetAddress) => Promise<void>
  readonly peers: {
    readonly isConnected: (address: NetAddress) => boolean
    readonly isPersistent: (address: NetAddress) => boolean
    readonly isRunning: () => boolean
  }
  /** Called if this node has dialled itself. `address` is the address that was dialled. */
  readonly isOurs: (address: NetAddress) => void
  /** Aborts when the switch stops. Then all waits and dials end. */
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

export interface Dialler {
  /** Dials the address immediately. Throws {@link RejectedError} or a dial error. */
  readonly dial: (address: NetAddress) => Promise<void>
  /** Dials each address after a random pause; errors are logged. */
  readonly dialSoon: (addresses: readonly NetAddress[]) => void
  /**
   * Dials the address again and again until there is a connection, or until the time at which the reference gives up.
   */
  readonly dialAgain: (address: NetAddress) => void
  readonly isDialling: (address: NetAddress) => boolean
  readonly count: () => number
}

/**
 * The codes of harmless refusals: a connection with the node exists already, or the dialled node is this node itself.
 */
const HARMLESS = [REJECTIONS.connected, REJECTIONS.duplicate, REJECTIONS.self] as const

/** Opens connections, and reopens connections to persistent peers. */
export function createDialler(options: SwitchOptions, modules: DiallerModules): Dialler {
  const { streams, peers, signal, clock, random, logger } = modules
  const dialling = new Set<string>()
  const reconnecting = new Set<string>()

  async function connect(address: NetAddress): Promise<void> {
    dialling.add(address.id)
    try {
      await modules.admit(await streams.dial(address, { timeoutMs: options.dialTimeoutMs, signal }), address)
    } finally {
      dialling.delete(address.id)
    }
  }

  async function dial(address: NetAddress): Promise<void> {
    const text = formatNetAddress(address)
    if (dialling.has(address.id) || peers.isConnected(address)) {
      throw new RejectedError(REJECTIONS.connected, `connection with ${text} has been established or dialed`)
    }
    try {
      await connect(address)
    } catch (error) {
      if (isCodedError(error, REJECTIONS.self)) modules.isOurs(address)
      // `dialAgain` calls `dial` immediately, and `dial` refuses an address that is being dialled. So `dialAgain` is
      // called only after `connect` has ended.
      else if (peers.isPersistent(address) && peers.isRunning()) dialAgain(address)
      throw error
    }
  }

  async function attempt(address: NetAddress): Promise<'done' | 'retry'> {
    if (!peers.isRunning()) return 'done'
    try {
      await dial(address)
      return 'done'
    } catch (error) {
      if (isCodedError(error, REJECTIONS.connected)) return 'done'
      const addr = formatNetAddress(address)
      logger.info('Error reconnecting to peer. Trying again', { err: (error as Error).message, addr })
      return 'retry'
    }
  }

  function dialAgain(address: NetAddress): void {
    if (reconnecting.has(address.id)) return
    reconnecting.add(address.id)
    const addr = formatNetAddress(address)
    logger.info('Reconnecting to peer', { addr })
    const waits = { maxMs: options.persistentPeersMaxDialPeriodMs, jitterMs: options.dialJitterMs, signal }
    reconnect(() => attempt(address), waits, { clock, random })
      .then(
        (over) => {
          if (!over) logger.error('Failed to reconnect to peer. Giving up', { addr })
        },
        () => undefined,
      )
      .finally(() => reconnecting.delete(address.id))
  }

  function dialSoon(addresses: readonly NetAddress[]): void {
    for (const address of addresses) {
      clock
        .sleep(random.below(options.dialJitterMs), signal)
        .then(() => dial(address))
        .catch((error: unknown) => {
          if (signal.aborted) return
          const level = HARMLESS.some((code) => isCodedError(error, code)) ? 'debug' : 'error'
          logger[level]('Error dialing peer', { err: messageOf(error) })
        })
    }
  }

  return {
    dial,
    dialSoon,
    dialAgain,
    isDialling: ({ id }) => dialling.has(id),
    count: () => dialling.size,
  }
}
