import type { Clock } from '@org/runtime'
import { PexMessage } from '@org/types/p2p'
import { canonicalIp, type NetAddress } from '../address/index.ts'
import type { AddressBook } from '../addressbook/index.ts'
import { ACCEPT, ignore, type Peer, reject, type Verdict } from '../reactor/index.ts'
import type { ConnectedPeers } from '../switch/index.ts'
import { MAX_ADDRESSES, PEX_CHANNEL } from './limits.ts'
import type { PexOptions } from './options.ts'
import { createRequestGuard } from './request-guard.ts'

/** The percentage of new addresses among the addresses that a seed sends to a peer. */
const SEED_BIAS = 30

/** The codes of verdicts on messages about addresses. */
const PEX_FAULTS = {
  askedTooOften: 'PEX_ASKED_TOO_OFTEN',
  seedAskedTwice: 'PEX_SEED_ASKED_TWICE',
  unsolicited: 'PEX_UNSOLICITED',
  invalidAddress: 'PEX_INVALID_ADDRESS',
} as const

interface RequestModules {
  readonly book: AddressBook
  readonly clock: Clock
  readonly peers: () => ConnectedPeers
}

/** The addresses in one answer of a peer, before they are checked. */
type SentAddresses = readonly { readonly id: string; readonly ip: string; readonly port: number }[]

/** The requests for addresses: those that this node sends, and those that its peers send. */
export interface AddressRequests {
  /** Requests addresses from the peer, unless an answer is pending. */
  readonly requestAddresses: (peer: Peer) => void
  /** Sends addresses to a peer that requested them. Returns the verdict on the request. */
  readonly answer: (peer: Peer) => Promise<Verdict>
  /** Adds the addresses in the answer of a peer to the address book. Returns the verdict on this answer. */
  readonly receive: (peer: Peer, addrs: SentAddresses) => Verdict
  readonly forget: (id: string) => void
  readonly sizes: () => { readonly asked: number; readonly answered: number; readonly guarded: number }
}

export function createAddressRequests(
  options: Pick<PexOptions, 'seedMode' | 'ensurePeersPeriodMs'>,
  { book, clock, peers }: RequestModules,
): AddressRequests {
  const guard = createRequestGuard(options.ensurePeersPeriodMs / 3, clock.monotonic)
  const asked = new Set<string>()
  /** The peers that this seed has answered. */
  const answered = new Set<string>()

  const send = (peer: Peer, sum: PexMessage['sum']): Promise<boolean> =>
    peer.send(PEX_CHANNEL, PexMessage.encode({ sum }))

  function requestAddresses(peer: Peer): void {
    if (asked.has(peer.id) || !peer.hasChannel(PEX_CHANNEL)) return
    asked.add(peer.id)
    void send(peer, { case: 'pexRequest', value: {} })
  }

  async function answer(peer: Peer): Promise<Verdict> {
    const seeding = options.seedMode && !peer.outbound
    if (seeding) {
      // This seed has answered the peer before, and is about to disconnect it.
      if (answered.has(peer.id))
        return ignore(PEX_FAULTS.seedAskedTwice, 'the peer asked a seed node for addresses a second time')
      answered.add(peer.id)
    } else if (!guard.mayAsk(peer.id)) return reject(PEX_FAULTS.askedTooOften, 'the peer asked for addresses too often')
    const addrs = book.selection(seeding ? SEED_BIAS : undefined).map(({ id, ip, port }) => ({ id, ip, port }))
    await send(peer, { case: 'pexAddrs', value: { addrs } })
    // A seed answers a peer once and then disconnects it. The delay gives the answer time to be sent.
    if (seeding) clock.after(100, () => peers().stopPeer(peer, undefined))
    return ACCEPT
  }

  function receive(peer: Peer, addrs: SentAddresses): Verdict {
    if (!asked.delete(peer.id)) return reject(PEX_FAULTS.unsolicited, 'the peer sent addresses without a request')
    const addresses: NetAddress[] = []
    for (const { id, ip: text, port } of addrs.slice(0, MAX_ADDRESSES)) {
      const ip = canonicalIp(text)
      if (ip === undefined || port > 65_535)
        return reject(PEX_FAULTS.invalidAddress, 'the peer sent an invalid address')
      addresses.push({ id, ip, port })
    }
    // The book chooses the bucket of an address by its source. The source is the address of the connection, because the
    // peer cannot choose this address.
    for (const address of addresses) book.add(address, peer.socketAddress, clock.now())
    return ACCEPT
  }

  return {
    requestAddresses,
    answer,
    receive,
    forget: (id) => {
      asked.delete(id)
      answered.delete(id)
      guard.forget(id)
    },
    sizes: () => ({ asked: asked.size, answered: answered.size, guarded: guard.size() }),
  }
}
