import { type Clock, dropOldest } from '@org/runtime'
import type { NetAddress } from '../address/index.ts'
import type { AddressBook } from '../addressbook/index.ts'
import type { Peer } from '../reactor/index.ts'
import type { ConnectedPeers } from '../switch/index.ts'
import type { PexOptions } from './options.ts'

const MIN_BETWEEN_CRAWLS_MS = 120_000
const MAX_CRAWLED = 10_000

interface CrawlerModules {
  readonly book: AddressBook
  readonly clock: Clock
  readonly peers: () => ConnectedPeers
  readonly dial: (address: NetAddress) => Promise<boolean>
  readonly requestAddresses: (peer: Peer) => void
  readonly signal: AbortSignal
}

/**
 * Searches for addresses if this node is a seed. The seed connects to nodes of its address book, one after the other,
 * and requests addresses from them.
 */
export interface Crawler {
  readonly crawl: () => Promise<void>
  /** Returns the number of addresses for which the time of the last visit is remembered. */
  readonly crawled: () => number
}

export function createCrawler(
  options: Pick<PexOptions, 'seedDisconnectWaitMs'>,
  { book, clock, peers, dial, requestAddresses, signal }: CrawlerModules,
): Crawler {
  const crawled = new Map<string, number>()

  async function crawl(): Promise<void> {
    for (const peer of peers().peers()) {
      const connectedMs = Number(peer.status().durationNs / 1_000_000n)
      if (connectedMs >= options.seedDisconnectWaitMs && !peer.persistent) peers().stopPeer(peer, undefined)
    }
    for (const address of book.selection()) {
      const now = clock.monotonic()
      if (signal.aborted || now - (crawled.get(address.id) ?? Number.NEGATIVE_INFINITY) < MIN_BETWEEN_CRAWLS_MS)
        continue
      crawled.set(address.id, now)
      dropOldest(crawled, MAX_CRAWLED)
      if (!(await dial(address))) continue
      const peer = peers().peer(address.id)
      if (peer !== undefined) requestAddresses(peer)
    }
  }

  return { crawl, crawled: () => crawled.size }
}
