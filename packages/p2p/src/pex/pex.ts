import { type Clock, dropOldest, isCodedError, type Logger, noopLogger, type Random, type Service } from '@org/runtime'
import { Message } from '@org/types/p2p'
import { canonicalIp, formatNetAddress, isSameNode, type NetAddress } from '../address/index.ts'
import type { AddressBook } from '../addressbook/index.ts'
import { REJECTIONS } from '../nodeinfo/index.ts'
import { defineProtocol, kindLabels } from '../protocol/index.ts'
import {
  ACCEPT,
  type ConnectedPeers,
  type Connector,
  ignore,
  type OperatorPeers,
  type Peer,
  type Reactor,
  reject,
  type Verdict,
} from '../switch/index.ts'
import { createDialPlan } from './dial-plan.ts'
import { createRequestGuard } from './request-guard.ts'

export const PEX_CHANNEL = 0x00
/** The most addresses of one answer, as in the reference. An address takes at most 256 bytes. */
const MAX_ADDRESSES = 250
const MAX_MESSAGE_SIZE = 256 * MAX_ADDRESSES
const BAN_NS = 24n * 3600n * 1_000_000_000n
const CRAWL_INTERVAL_MS = 30_000
const MIN_BETWEEN_CRAWLS_MS = 120_000
const SEED_BIAS = 30
const REJECT_POINTS = 50

/** The codes of verdicts on messages about addresses. */
export const PEX_FAULTS = {
  askedTooOften: 'PEX_ASKED_TOO_OFTEN',
  seedAskedTwice: 'PEX_SEED_ASKED_TWICE',
  unsolicited: 'PEX_UNSOLICITED',
  invalidAddress: 'PEX_INVALID_ADDRESS',
} as const

export interface PexOptions {
  readonly seedMode: boolean
  readonly seeds: readonly NetAddress[]
  readonly maxOutboundPeers: number
  /** The longest wait between two attempts to reach a persistent peer; 0 is no limit. */
  readonly persistentPeersMaxDialPeriodMs: number
  /** Milliseconds between two checks that there are enough peers; the reference has 30 s. */
  readonly ensurePeersPeriodMs: number
  /** Milliseconds for which a seed keeps a peer. */
  readonly seedDisconnectWaitMs: number
}

export interface PexModules {
  readonly book: AddressBook
  readonly clock: Clock
  readonly random: Random
  readonly logger?: Logger
  /** Saves the book; called regularly and at the end. */
  readonly save: () => Promise<void>
  /** A function, because the switch is created after its reactors. */
  readonly peers: () => ConnectedPeers & Connector & Pick<OperatorPeers, 'isPersistent'>
}

/** Peer exchange: answers requests for addresses, requests addresses, and keeps enough peers connected. */
export interface Pex extends Service {
  readonly reactor: Reactor
}

export function createPex(options: PexOptions, modules: PexModules): Pex {
  const { book, clock, random, peers } = modules
  const logger = modules.logger ?? noopLogger
  const guard = createRequestGuard(options.ensurePeersPeriodMs / 3, clock.monotonic)
  const plan = createDialPlan(clock.monotonic)
  const asked = new Set<string>()
  /** The peers that this seed has answered. */
  const answered = new Set<string>()
  const crawled = new Map<string, number>()
  const stopping = new AbortController()

  const say = (peer: Peer, sum: Message['sum']): Promise<boolean> => peer.send(PEX_CHANNEL, Message.encode({ sum }))

  function ask(peer: Peer): void {
    if (asked.has(peer.id) || !peer.hasChannel(PEX_CHANNEL)) return
    asked.add(peer.id)
    void say(peer, { case: 'pexRequest', value: {} })
  }

  async function answer(peer: Peer): Promise<Verdict> {
    const seeding = options.seedMode && !peer.outbound
    if (seeding) {
      // The peer is being disconnected already.
      if (answered.has(peer.id))
        return ignore(PEX_FAULTS.seedAskedTwice, 'the peer asked a seed node for addresses a second time')
      answered.add(peer.id)
    } else if (!guard.mayAsk(peer.id)) return reject(PEX_FAULTS.askedTooOften, 'the peer asked for addresses too often')
    const addrs = book.selection(seeding ? SEED_BIAS : undefined).map(({ id, ip, port }) => ({ id, ip, port }))
    await say(peer, { case: 'pexAddrs', value: { addrs } })
    // A seed answers once. The pause lets the answer leave before the connection ends.
    if (seeding) clock.after(100, () => peers().stopPeer(peer, undefined))
    return ACCEPT
  }

  function take(peer: Peer, addrs: readonly { id: string; ip: string; port: number }[]): Verdict {
    if (!asked.delete(peer.id)) return reject(PEX_FAULTS.unsolicited, 'the peer sent addresses without a request')
    const addresses: NetAddress[] = []
    for (const { id, ip: text, port } of addrs.slice(0, MAX_ADDRESSES)) {
      const ip = canonicalIp(text)
      if (ip === undefined || port > 65_535)
        return reject(PEX_FAULTS.invalidAddress, 'the peer sent an invalid address')
      addresses.push({ id, ip, port })
    }
    // The source decides which buckets the addresses may fill. The peer must not choose it, so it is the address of
    // the connection.
    for (const address of addresses) book.add(address, peer.socketAddress, clock.now())
    if (options.seeds.some((seed) => isSameNode(seed, peer.reportedAddress ?? peer.socketAddress))) ensurePeers(false)
    return ACCEPT
  }

  /** Records a failed dial in the book and the plan. */
  function noteFailure(address: NetAddress, error: unknown): void {
    if (isCodedError(error, REJECTIONS.wrongId)) {
      // The other id is proven. The fault is that of the node that sent the address, not of the node with this id.
      book.banAddress(address, clock.now() + BAN_NS)
      plan.forget(address)
      return
    }
    // Any other failure may happen to an honest node: it is full, slow, restarting, or connected to this node
    // already.
    book.markAttempt(address.id, clock.now())
    plan.failed(address)
  }

  function giveUp(address: NetAddress): void {
    book.banAddress(address, clock.now() + BAN_NS)
    plan.forget(address)
  }

  /** Dials, and records the result in the book and the plan. Resolves with true if there is a connection. */
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
    const wanted = options.maxOutboundPeers - outbound - dialling
    if (wanted <= 0) return
    // With few peers, addresses of formerly good peers are preferred.
    const bias = Math.min(outbound, 8) * 10 + 10
    const chosen = new Map<string, NetAddress>()
    for (let i = 0; i < wanted * 3 && chosen.size < wanted; i++) {
      const address = book.pick(bias)
      if (address !== undefined && !peers().isDiallingOrConnected(address)) chosen.set(address.id, address)
    }
    for (const address of chosen.values()) void dial(address)
    if (!book.wantsMore()) return
    book.reinstate(clock.now())
    const connected = peers().peers()
    const someone = connected[random.below(Math.max(1, connected.length))]
    if (someone !== undefined && periodElapsed) ask(someone)
    if (chosen.size === 0) void dialSeeds()
  }

  /** Dials seeds in random order until one answers. A seed that failed is tried again each time. */
  async function dialSeeds(): Promise<void> {
    const left = [...options.seeds]
    while (left.length > 0 && !stopping.signal.aborted) {
      const [seed] = left.splice(random.below(left.length), 1)
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

  async function crawl(): Promise<void> {
    for (const peer of peers().peers()) {
      const connectedMs = Number(peer.status().durationNs / 1_000_000n)
      if (connectedMs >= options.seedDisconnectWaitMs && !peer.persistent) peers().stopPeer(peer, undefined)
    }
    for (const address of book.selection()) {
      const now = clock.monotonic()
      if (
        stopping.signal.aborted ||
        now - (crawled.get(address.id) ?? Number.NEGATIVE_INFINITY) < MIN_BETWEEN_CRAWLS_MS
      )
        continue
      crawled.set(address.id, now)
      dropOldest(crawled, 10_000)
      if (!(await dial(address))) continue
      const peer = peers().peer(address.id)
      if (peer !== undefined) ask(peer)
    }
  }

  async function run(): Promise<void> {
    const { signal } = stopping
    if (options.seedMode) {
      await (options.seeds.length > 0 ? dialSeeds() : crawl())
      for (;;) {
        await clock.sleep(CRAWL_INTERVAL_MS, signal)
        await crawl()
        await save()
      }
    }
    const { outbound, inbound, dialling } = peers().counts()
    if (outbound + inbound + dialling > 0) await clock.sleep(random.below(options.ensurePeersPeriodMs), signal)
    for (let round = 0; ; round++) {
      ensurePeers(true)
      // The reference writes its book every two minutes.
      if (round % 4 === 3) await save()
      await clock.sleep(options.ensurePeersPeriodMs, signal)
    }
  }

  async function save(): Promise<void> {
    await modules
      .save()
      .catch((error: Error) => logger.error('Failed to save the address book', { err: error.message }))
  }

  function meet(peer: Peer): void {
    if (peer.outbound) {
      if (book.wantsMore()) ask(peer)
      return
    }
    // An inbound peer is the source of its own address. The node requests addresses from it later, because it is
    // trusted less.
    const address = peer.reportedAddress
    if (address !== undefined) book.add(address, peer.socketAddress, clock.now())
  }

  const protocol = defineProtocol<NonNullable<Message['sum']>, Peer>({
    name: 'pex',
    labels: kindLabels('p2p', Message),
    channels: [
      { id: PEX_CHANNEL, priority: 1, capacity: 10, maxBytes: MAX_MESSAGE_SIZE, carries: ['pexRequest', 'pexAddrs'] },
    ],
    decode: (bytes) => Message.decode(bytes).sum,
    handlers: { pexRequest: answer, pexAddrs: (peer, { addrs }) => take(peer, addrs) },
    join: (peer) => peer,
    joined: meet,
    left: ({ id }) => {
      asked.delete(id)
      answered.delete(id)
      guard.forget(id)
    },
    onReject: (peer, verdict) => {
      book.markBad(peer.id, clock.now() + BAN_NS)
      return { ...verdict, points: REJECT_POINTS }
    },
    sizes: () => ({
      asked: asked.size,
      answered: answered.size,
      guarded: guard.size(),
      failed: plan.size(),
      crawled: crawled.size,
      addresses: book.size(),
    }),
  })

  return {
    reactor: protocol,
    start: async () => {
      run().catch((error: unknown) => {
        if (!stopping.signal.aborted) logger.error('Peer exchange stopped after an error', { err: String(error) })
      })
    },
    stop: async () => {
      if (stopping.signal.aborted) return
      stopping.abort(new Error('stopping'))
      await save()
    },
  }
}
