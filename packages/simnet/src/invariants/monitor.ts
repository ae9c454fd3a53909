import type { MethodName } from '@org/abci'
import type { SignatureChecker } from '@org/engine'
import { BLOCKSYNC_CHANNEL, CHANNELS } from '@org/engine/protocols'
import type { GenesisDoc } from '@org/types'
import type { RequestCheckTx, ResponseCommit } from '@org/types/abci'
import type { Behaviour } from '../byzantine/index.ts'
import type { SimNode } from '../node/index.ts'
import type { ChannelMessage, PeerEvent } from '../peers/index.ts'
import type { Trace } from '../world/index.ts'
import { backfillFault } from './backfilled.ts'
import type { ChainRecord } from './chain-record.ts'
import { checkAtEnd } from './check-at-end.ts'
import { createRules } from './create-rules.ts'
import type { AppCall } from './extensions.ts'
import { createHaltRule } from './halt-rule.ts'
import type { WatchedEngine } from './node-watch.ts'
import type { ProcessingCostRules } from './processing-cost.ts'
import { openStores, storedFault } from './stored.ts'
import { createWatchedNodes } from './watched-nodes.ts'

/** A violated invariant. */
export interface Violation {
  readonly rule: string
  readonly detail: string
  readonly atMs: number
}

/** Watches a network, and records violated invariants. */
export interface Monitor {
  readonly record: ChainRecord
  readonly violations: () => readonly Violation[]
  readonly violate: (rule: string, detail: string) => void
  /** To be called when a client gave the transaction to a node. */
  readonly submitted: (tx: string) => void
  /** Marks a node as not trusted. From now on the rules for honest nodes do not apply to it. */
  readonly distrust: (name: string, behaviours?: readonly Behaviour[]) => void
  /** To be called at short intervals. Checks how much data a node holds because of its peers' messages. */
  readonly looked: (by: SimNode) => void
  readonly sent: (from: string, to: string, channelMessage: ChannelMessage) => void
  /** To be called when the application of a node has answered a call of ABCI. */
  readonly answered: (node: string, method: MethodName, call: AppCall) => void
  /** To be called when a message arrives at a node, before the node handles it. */
  readonly received: (by: SimNode, from: string, channelMessage: ChannelMessage) => void
  /** To be called when a node verified a signature. */
  readonly verified: ProcessingCostRules['verified']
  readonly rejected: (by: string, from: string, reason: string) => void
  /** To be called with each event between a node and a peer. */
  readonly peerEvent: (by: SimNode, peerEvent: PeerEvent) => void
  /** Returns how often certain actions happened, such as `snapshots sent`. The key is the name of the action. */
  readonly counts: () => Readonly<Record<string, number>>
  /**
   * A node must not halt without an injected fault. A call with `more` = 1 reports that a fault was injected, so the
   * node may halt from now on. A call with `more` = -1 reports that this fault is over.
   */
  readonly expectHalt: (name: string, more: 1 | -1) => void
  readonly halted: (node: SimNode, error: Error) => void
  readonly started: (node: SimNode, engine: WatchedEngine) => void
  /** To be called after a crash, with the disk as it is then. */
  readonly crashed: (node: SimNode) => void
  /** To be called at the end. Checks the running nodes for violations that can be found only then. */
  readonly conclude: (nodes: readonly SimNode[]) => Promise<void>
}

export interface MonitorModules {
  readonly genesis: GenesisDoc
  readonly now: () => number
  readonly trace: Trace
  /** Returns the nodes of the network. It is called only after the nodes were made. */
  readonly nodes: () => readonly SimNode[]
  readonly signatures: Pick<SignatureChecker, 'verify'>
  /** The maximum time in which a joining node must request the chunks of a snapshot: see `SnapshotModules`. */
  readonly requestsWithinMs?: number | undefined
}

/**
 * Creates the monitor. The function is long because it contains the list of all reports, each with the rules that
 * receive it.
 */
export function createMonitor({
  genesis,
  now,
  trace,
  nodes: all,
  signatures,
  requestsWithinMs,
}: MonitorModules): Monitor {
  const violations: Violation[] = []
  const sentTxs = new Set<string>()
  const sendsBadBlocks = new Set<string>()
  const nodes = createWatchedNodes(all)

  function violate(rule: string, detail: string): void {
    trace.note('VIOLATION', rule, detail)
    violations.push({ rule, detail, atMs: now() })
  }

  const halts = createHaltRule(violate)
  const rules = createRules({
    genesis,
    now,
    trace,
    nodes,
    signatures,
    violate,
    requestsWithinMs,
    isKnownTx: (tx) => sentTxs.has(tx) || nodes.distrusted().size > 0,
    mayHalt: halts.mayHalt,
  })
  const { record, extensions, doubleSigns, retained, peerRules, snapshots, spend, held, badBlocks, messages, watch } =
    rules

  async function conclude(running: readonly SimNode[]): Promise<void> {
    for (const node of running) if (nodes.isHonest(node.name)) await checkAtEnd(node, rules, violate)
    rules.evidence.conclude()
  }

  return {
    record,
    violations: () => violations,
    violate,
    submitted: (tx) => void sentTxs.add(tx),
    distrust: (name, behaviours = []) => {
      nodes.distrust(name)
      if (behaviours.includes('badBlocks')) sendsBadBlocks.add(name)
    },
    looked: (by) => {
      if (!nodes.isHonest(by.name)) return
      for (const name of nodes.distrusted()) {
        const from = nodes.named(name)
        if (from !== undefined) held.check(by, from)
      }
    },
    sent: (from, to, channelMessage) => {
      if (nodes.isHonest(from)) {
        peerRules.sent(from, to, channelMessage)
        badBlocks.sent(from, to, channelMessage)
      }
      snapshots.sent(from, to, channelMessage)
      messages.sent(from, channelMessage)
    },
    answered: (node, method, call) => {
      // A hostile node lies only to other nodes. Its own application receives and returns correct data, so the calls
      // of this application are checked too. The exception is the content of the node's proposals, which is not
      // checked.
      peerRules.answered(node, method, call)
      snapshots.answered(node, method, call)
      if (method === 'checkTx') rules.byzantineInput.checked(node, call.request as Partial<RequestCheckTx>)
      if (method === 'commit') retained.asked(node, (call.answer as Partial<ResponseCommit>).retainHeight ?? 0)
      if (method !== 'prepareProposal' || nodes.isHonest(node)) extensions.answered(node, method, call)
    },
    verified: spend.verified,
    received: (by, from, { channel, bytes }) => {
      const engine = by.engine()
      if (!nodes.isHonest(from) && nodes.isHonest(by.name)) {
        spend.received(by.name, from, { channel, bytes })
        if (channel === BLOCKSYNC_CHANNEL && sendsBadBlocks.has(from))
          rules.byzantineInput.receivedBlock(by.name, from, bytes)
      }
      if (
        nodes.distrusted().size === 0 ||
        channel !== CHANNELS.vote ||
        engine === undefined ||
        !nodes.isHonest(by.name)
      )
        return
      const sum = messages.decode(bytes)
      if (sum?.case === 'vote' && sum.value.vote !== undefined) doubleSigns.received(by.name, engine, sum.value.vote)
    },
    rejected: (by, from, reason) => {
      if (!nodes.isHonest(by) || !nodes.isHonest(from)) return
      violate('peers', `${by} rejected a message of the honest node ${from}: ${reason}`)
    },
    expectHalt: halts.expect,
    halted: (node, error) => {
      if (nodes.isHonest(node.name)) halts.halted(node, error)
    },
    started: (node, engine) => {
      if (!nodes.isHonest(node.name)) return
      peerRules.restarted(node.name)
      badBlocks.restarted(node.name)
      watch.started(node, engine)
    },
    crashed: (node) => {
      doubleSigns.ended(node.name)
      if (!nodes.isHonest(node.name)) return
      const stores = node.isJoiner ? openStores(node) : undefined
      const old = stores && backfillFault(stores, rules.backfilled)
      const fault = storedFault(node, genesis.initialHeight) ?? old
      if (fault !== undefined) violate('stored', `${node.name}: ${fault}`)
    },
    peerEvent: (by, peerEvent) => {
      if (!nodes.isHonest(by.name)) return
      peerRules.seen(by, peerEvent)
      const from = peerEvent.peer.nodeInfo.moniker
      if (nodes.isHonest(from)) return
      if (peerEvent.what === 'connected') spend.connected(by.name, from)
      if (peerEvent.what === 'disconnected') badBlocks.disconnected(by.name, from)
      if (peerEvent.what === 'judged') spend.learned(by.name, from, peerEvent.learned ?? 0)
    },
    counts: () => {
      const counted = snapshots.counts()
      const counts = {
        'starts refused': halts.refusedStarts(),
        'snapshots sent': counted.snapshots,
        'chunks sent': counted.chunks,
        'snapshots restored': rules.restored.count,
      }
      return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
    },
    conclude,
  }
}
