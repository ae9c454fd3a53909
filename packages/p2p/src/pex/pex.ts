import {
  type Clock,
  createLifecycle,
  type Logger,
  noopLogger,
  type Random,
  type Service,
  unlessAborted,
} from '@org/runtime'
import { PexMessage } from '@org/types/p2p'
import { isSameNode } from '../address/index.ts'
import type { AddressBook } from '../addressbook/index.ts'
import { defineProtocol, kindLabels } from '../protocol/index.ts'
import type { Peer, Reactor } from '../reactor/index.ts'
import type { ConnectedPeers, Connector, OperatorPeers } from '../switch/index.ts'
import { createAddressRequests } from './address-requests.ts'
import { createCrawler } from './crawler.ts'
import { BAN_NS, MAX_MESSAGE_SIZE, PEX_CHANNEL } from './limits.ts'
import type { PexOptions } from './options.ts'
import { createPeerSearch } from './peer-search.ts'

const CRAWL_INTERVAL_MS = 30_000
const REJECT_POINTS = 50

/** The address book and the switch that the exchange of addresses uses. */
export interface PexModules {
  readonly book: AddressBook
  readonly clock: Clock
  readonly random: Random
  readonly logger?: Logger
  /** Saves the address book. Called regularly, and when peer exchange stops. */
  readonly save: () => Promise<void>
  /**
   * Returns the switch. This member is a function and not the switch itself, because the switch is created after this
   * reactor.
   */
  readonly peers: () => ConnectedPeers & Connector & Pick<OperatorPeers, 'isPersistent'>
}

/** Peer exchange: answers requests for addresses, requests addresses, and keeps enough peers connected. */
export interface Pex extends Service {
  readonly reactor: Reactor
}

/**
 * Creates peer exchange. Its reactor answers peers even before the start. The regular search for more peers begins at
 * the start.
 */
export function createPex(options: PexOptions, modules: PexModules): Pex {
  const { book, clock, random, peers } = modules
  const logger = modules.logger ?? noopLogger
  const life = createLifecycle({
    name: 'peer exchange',
    start: () => life.run(run),
    close: save,
    failed: (error) => logger.error('Peer exchange stopped after an error', { err: String(error) }),
  })
  const { signal } = life
  const requests = createAddressRequests(options, { book, clock, peers })
  const { requestAddresses } = requests
  const search = createPeerSearch(options, { book, clock, random, logger, peers, requestAddresses, signal })
  const crawler = createCrawler(options, { book, clock, peers, dial: search.dial, requestAddresses, signal })

  const isSeed = ({ reportedAddress, socketAddress }: Peer): boolean =>
    options.seeds.some((seed) => isSameNode(seed, reportedAddress ?? socketAddress))

  async function run(): Promise<void> {
    if (options.seedMode) {
      await unlessAborted(options.seeds.length > 0 ? search.dialSeeds() : crawler.crawl(), signal)
      for (;;) {
        await clock.sleep(CRAWL_INTERVAL_MS, signal)
        await unlessAborted(crawler.crawl(), signal)
        await save()
      }
    }
    const { outbound, inbound, dialling } = peers().counts()
    if (outbound + inbound + dialling > 0) await clock.sleep(random.below(options.ensurePeersPeriodMs), signal)
    for (let round = 0; ; round++) {
      search.ensurePeers(true)
      // The book is saved after every fourth call of `ensurePeers`. With the default period this is every two minutes,
      // as in the reference.
      if (round % 4 === 3) await save()
      await clock.sleep(options.ensurePeersPeriodMs, signal)
    }
  }

  async function save(): Promise<void> {
    await modules
      .save()
      .catch((error: Error) => logger.error('Failed to save the address book', { err: error.message }))
  }

  function learnAddresses(peer: Peer): void {
    if (peer.outbound) {
      if (book.wantsMore()) requestAddresses(peer)
      return
    }
    // The node did not choose an inbound peer, so it trusts this peer less than an outbound peer. The node stores the
    // address that the peer reported, but does not immediately request addresses from the peer.
    const address = peer.reportedAddress
    if (address !== undefined) book.add(address, peer.socketAddress, clock.now())
  }

  const protocol = defineProtocol<NonNullable<PexMessage['sum']>, Peer>({
    name: 'pex',
    labels: kindLabels('p2p', PexMessage),
    channels: [
      { id: PEX_CHANNEL, priority: 1, capacity: 10, maxBytes: MAX_MESSAGE_SIZE, carries: ['pexRequest', 'pexAddrs'] },
    ],
    decode: (bytes) => PexMessage.decode(bytes).sum,
    handlers: {
      pexRequest: requests.answer,
      pexAddrs: (peer, { addrs }) => {
        const verdict = requests.receive(peer, addrs)
        if (verdict.type === 'accept' && isSeed(peer)) search.ensurePeers(false)
        return verdict
      },
    },
    join: (peer) => peer,
    joined: learnAddresses,
    left: ({ id }) => requests.forget(id),
    onReject: (peer, verdict) => {
      book.markBad(peer.id, clock.now() + BAN_NS)
      return { ...verdict, points: REJECT_POINTS }
    },
    sizes: () => ({
      ...requests.sizes(),
      failed: search.failed(),
      crawled: crawler.crawled(),
      addresses: book.size(),
    }),
  })

  return {
    reactor: protocol,
    start: life.start,
    stop: life.stop,
  }
}
