import { type Clock, isCodedError, type Logger, type Random } from '@org/runtime'
import { formatNetAddress, type NetAddress } from '../address/index.ts'
import type { AddressBook } from '../addressbook/index.ts'
import { REJECTIONS } from '../nodeinfo/index.ts'
import type { Peer } from '../reactor/index.ts'
import type { ConnectedPeers, Connector, OperatorPeers } from '../switch/index.ts'
import { createDialPlan } from './dial-plan.ts'
import { BAN_NS } from './limits.ts'
import type { PexOptions } from './options.ts'

interface PeerSearchModules {
  readonly book: AddressBook
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly peers: () => ConnectedPeers & Connector & Pick<OperatorPeers, 'isPersistent'>
  /** Requests addresses from a peer. */
  readonly requestAddresses: (peer: Peer) => void
  readonly signal: AbortSignal
}

/** Dials addresses of the book and seeds, so that the node has enough outbound peers. */
export interface PeerSearch {
  /**
   * Dials an address, unless too little time has passed since the last failed dial of this address. If the dial fails,
   * records the failure in the book. Resolves with true if the dial succeeded.
   */
  readonly dial: (address: NetAddress) => Promise<boolean>
  /**
   * Dials one address of the book for each missing outbound peer. If the book has too few addresses, the function also
   * does the following: it ends the bans whose time is over, requests addresses from a peer if `periodElapsed` is true,
   * and dials seeds if it found no address to dial.
   */
  readonly ensurePeers: (periodElapsed: boolean) => void
  /**
   * Dials seeds in random order until a connection to one of them succeeds. Stops at a seed that is connected or being
   * dialled already. Each call also tries the seeds that failed in earlier calls.
   */
  readonly dialSeeds: () => Promise<void>
  /** Returns the number of addresses whose last dial failed. */
  readonly failed: () => number
}

export function createPeerSearch(
  options: Pick<PexOptions, 'seeds' | 'maxOutboundPeers' | 'persistentPeersMaxDialPeriodMs'>,
  { book, clock, random, logger, peers, requestAddresses, signal }: PeerSearchModules,
): PeerSearch {
  const plan = createDialPlan(clock.monotonic)

  /** Records a failed dial in the address book and in the dial plan. */
  function noteFailure(address: NetAddress, error: unknown): void {
    if (isCodedError(error, REJECTIONS.wrongId)) {
      // The node at this address has proven another id than the id in the address. Some peer sent this wrong address,
      // and the owner of the id is not at fault. So only the address is banned, and not the id.
      book.banAddress(address, clock.now() + BAN_NS)
      plan.forget(address)
      return
    }
    // All other failures can be those of an honest node, for example of a node that is full, slow or restarting. So
    // the address is not banned.
    book.markAttempt(address.id, clock.now())
    plan.failed(address)
  }

  function giveUp(address: NetAddress): void {
    book.banAddress(address, clock.now() + BAN_NS)
    plan.forget(address)
  }

  async function dial(address: NetAddress): Promise<boolean> {
    const persistent = peers().isPersistent(address) ? { maxMs: options.persistentPeersMaxDialPeriodMs } : undefined
    const when = plan.mayDial(address, random.below(1000) / 1000, persistent)
    if (when === 'never') giveUp(address)
    if (when !== 'now') return false
    try {
      await peers().dial(address)
      plan.forget(address)
      return true
    } catch (error) {
      logger.debug('Dialing failed', { addr: formatNetAddress(address), err: (error as Error).message })
      if (!isCodedError(error, REJECTIONS.connected)) noteFailure(address, error)
      return false
    }
  }

  function ensurePeers(periodElapsed: boolean): void {
    const { outbound, dialling } = peers().counts()
    const missing = options.maxOutboundPeers - outbound - dialling
    if (missing <= 0) return
    // The fewer peers the node has, the more it prefers addresses of nodes that were good peers before.
    const bias = Math.min(outbound, 8) * 10 + 10
    const chosen = new Map<string, NetAddress>()
    for (let i = 0; i < missing * 3 && chosen.size < missing; i++) {
      const address = book.pick(bias)
      if (address !== undefined && !peers().isDiallingOrConnected(address)) chosen.set(address.id, address)
    }
    for (const address of chosen.values()) void dial(address)
    if (!book.wantsMore()) return
    book.reinstate(clock.now())
    const connected = peers().peers()
    const randomPeer = connected[random.below(Math.max(1, connected.length))]
    if (randomPeer !== undefined && periodElapsed) requestAddresses(randomPeer)
    if (chosen.size === 0) void dialSeeds()
  }

  async function dialSeeds(): Promise<void> {
    const untried = [...options.seeds]
    while (untried.length > 0 && !signal.aborted) {
      const [seed] = untried.splice(random.below(untried.length), 1)
      if (seed === undefined || peers().isDiallingOrConnected(seed)) return
      try {
        await peers().dial(seed)
        return
      } catch (error) {
        logger.error('Error dialing seed', { seed: formatNetAddress(seed), err: (error as Error).message })
      }
    }
    if (options.seeds.length > 0) logger.error("Couldn't connect to any seeds")
  }

  return { dial, ensurePeers, dialSeeds, failed: plan.size }
}
