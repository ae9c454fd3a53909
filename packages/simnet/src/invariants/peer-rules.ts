import type { MethodName } from '@org/abci'
import { canonicalIp, DEFAULT_SWITCH_OPTIONS, PEX_CHANNEL, type Verdict } from '@org/p2p'
import { PexMessage } from '@org/types/p2p'
import type { SimNode } from '../node/index.ts'
import type { ChannelMessage, PeerEvent } from '../peers/index.ts'
import type { AppCall } from './extensions.ts'
import { createFilterRule } from './filter-rule.ts'

/**
 * A peer that makes this number of faults within {@link FAULTS_WITHIN_MS} loses all its points, even if it had all its
 * points before the first of these faults. So the node must ban the peer.
 */
const BANNED_AFTER = 3
const FAULTS_WITHIN_MS = 60_000
const QUESTIONS_THAT_ARE_FREE = 2
const PORTS = 65_535

/** The record of this check about one node and one of its peers. */
interface PeerRecord {
  /** True if the node asked the peer for addresses and has no answer. */
  hasPendingRequest: boolean
  /** The times when the node answered the peer's requests for addresses on this connection. */
  answered: number[]
  faults: number[]
  bannedUntil: number
}

/** Checks which peers are admitted, and whose addresses are accepted. */
export interface PeerRules {
  /** To be called when an honest node sends a message. */
  readonly sent: (from: string, to: string, channelMessage: ChannelMessage) => void
  /** To be called when the application of a node has answered a call of ABCI. */
  readonly answered: (node: string, method: MethodName, call: AppCall) => void
  /** To be called with each event between a node and a peer. */
  readonly seen: (by: SimNode, event: PeerEvent) => void
  /** To be called when a node was restarted. The node then has no records about its peers any more, such as bans. */
  readonly restarted: (name: string) => void
}

export interface PeerRulesModules {
  readonly violate: (rule: string, detail: string) => void
  readonly now: () => number
}

export function createPeerRules({ violate, now }: PeerRulesModules): PeerRules {
  const recordsByNode = new Map<string, Map<string, PeerRecord>>()
  const filter = createFilterRule(violate)

  function recordOf(by: string, of: string): PeerRecord {
    const all = recordsByNode.get(by) ?? new Map<string, PeerRecord>()
    recordsByNode.set(by, all)
    const one = all.get(of) ?? { hasPendingRequest: false, answered: [], faults: [], bannedUntil: 0 }
    all.set(of, one)
    return one
  }

  function connected(by: SimNode, event: PeerEvent): void {
    const { moniker } = event.peer.nodeInfo
    const { bannedUntil } = recordOf(by.name, moniker)
    if (now() < bannedUntil)
      violate('ban', `${by.name} accepted ${moniker} as a peer, although it has banned ${moniker}`)
    if (by.options.filterPeers) filter.check(by, event)
  }

  function question(by: SimNode, from: string, at: number): void {
    const { answered } = recordOf(by.name, from)
    const minPeriodMs = (by.options.pex?.ensurePeersPeriodMs ?? 0) / 3
    const last = answered.at(-1)
    answered.push(at)
    if (answered.length <= QUESTIONS_THAT_ARE_FREE || last === undefined || at - last >= minPeriodMs) return
    violate(
      'addresses',
      `${by.name} sends addresses to ${from}, which asked ${(at - last).toFixed()} ms after its last request`,
    )
  }

  function checkAddresses(
    by: SimNode,
    from: string,
    addrs: readonly { readonly ip: string; readonly port: number }[],
  ): void {
    const one = recordOf(by.name, from)
    if (!one.hasPendingRequest)
      violate('addresses', `${by.name} accepts addresses from ${from} without having requested them`)
    one.hasPendingRequest = false
    const bad = addrs.find(({ ip, port }) => canonicalIp(ip) === undefined || port > PORTS)
    if (bad !== undefined)
      violate('addresses', `${by.name} accepts the invalid address ${bad.ip}:${bad.port} from ${from}`)
  }

  function refused(by: SimNode, { peer }: PeerEvent): void {
    const { moniker } = peer.nodeInfo
    if (by.p2p()?.book.has(peer.id) === true)
      violate(
        'addresses',
        `${by.name} keeps the address of ${moniker} in its address book, after it refused addresses of this peer`,
      )
    const one = recordOf(by.name, moniker)
    one.faults = [...one.faults, now()].slice(-BANNED_AFTER)
    const [first] = one.faults
    if (one.faults.length < BANNED_AFTER || first === undefined || now() - first > FAULTS_WITHIN_MS) return
    one.bannedUntil = now() + DEFAULT_SWITCH_OPTIONS.banMs
  }

  function judged(by: SimNode, event: PeerEvent, verdict: Verdict): void {
    if (verdict.type === 'reject') refused(by, event)
    if (verdict.type !== 'accept' || event.message === undefined) return
    const { sum } = PexMessage.decode(event.message)
    const from = event.peer.nodeInfo.moniker
    if (sum?.case === 'pexRequest') question(by, from, event.at)
    if (sum?.case === 'pexAddrs') checkAddresses(by, from, sum.value.addrs)
  }

  function disconnected(by: SimNode, { peer }: PeerEvent): void {
    const one = recordOf(by.name, peer.nodeInfo.moniker)
    one.hasPendingRequest = false
    one.answered = []
  }

  return {
    sent: (from, to, { channel, bytes }) => {
      if (channel !== PEX_CHANNEL) return
      if (PexMessage.decode(bytes).sum?.case === 'pexRequest') recordOf(from, to).hasPendingRequest = true
    },
    answered: filter.answered,
    seen: (by, event) => {
      if (event.what === 'connected') connected(by, event)
      else if (event.what === 'disconnected') disconnected(by, event)
      else if (event.verdict !== undefined) judged(by, event, event.verdict)
    },
    restarted: (name) => {
      recordsByNode.delete(name)
      filter.restarted(name)
    },
  }
}
