import { ACCEPT, defineProtocol, ignore, type Peer, type Reactor, rejectError, type Verdict } from '@org/p2p'
import {
  type Budget,
  type Clock,
  createLifecycle,
  isCodedError,
  type Logger,
  messageOf,
  repeat,
  type Service,
} from '@org/runtime'
import { Evidence, EvidenceList, evidenceHeight, validateEvidenceBasic } from '@org/types'
import { compactCopy } from '@org/types/schema'
import { EVIDENCE_ERRORS } from '../errors.ts'
import type { EvidencePool } from '../pool.ts'
import { EVIDENCE_CHANNEL, MAX_ITEMS, MAX_MESSAGE_SIZE, REPEAT_MS, SEND_QUEUE_CAPACITY } from './options.ts'

export interface EvidenceGossipModules {
  readonly pool: Pick<EvidencePool, 'addEvidence' | 'gossip' | 'onEvidence'>
  /** The heights that peers reported. `heightOf` returns 0 for a peer that has not reported a height. */
  readonly heights: {
    readonly heightOf: (peerId: string) => number
    readonly onHeight: (listener: (peerId: string) => void, signal?: AbortSignal) => void
  }
  /**
   * The maximum age of evidence in blocks. If the peer's height minus the evidence's height is above this number, the
   * node does not send the evidence to the peer.
   */
  readonly maxAgeNumBlocks: () => bigint
  /**
   * The budget that all parts of the node share for exact checks of signatures. These checks are slow, and only forged
   * signatures and unusual keys need them. Default: no limit.
   */
  readonly exactChecks?: Pick<Budget, 'take'>
  readonly clock: Clock
  readonly logger: Logger
}

export interface EvidenceGossip extends Service {
  readonly reactor: Reactor
}

interface PeerEntry {
  readonly peer: Peer
  /**
   * The evidence that was sent to the peer or received from it. Every `REPEAT_MS` the set is cleared, and the evidence
   * is sent again, because the peer may not have accepted it before.
   */
  exchanged: WeakSet<Evidence>
  busy: boolean
  /** True if the loop over the evidence must run again, because evidence or the peer's height may be new. */
  mustRepeat: boolean
}

interface EvidenceMessage {
  readonly case: 'evidenceList'
  readonly value: readonly Evidence[]
}

function decode(bytes: Uint8Array): EvidenceMessage {
  const { evidence } = EvidenceList.decode(bytes, { maxItems: MAX_ITEMS })
  for (const item of evidence) validateEvidenceBasic(item)
  return { case: 'evidenceList', value: evidence }
}

/** Adds the evidence of a peer's message to the pool. */
async function receiveEvidence(
  { peer, exchanged }: PeerEntry,
  list: readonly Evidence[],
  { pool, exactChecks, logger }: Pick<EvidenceGossipModules, 'pool' | 'exactChecks' | 'logger'>,
): Promise<Verdict> {
  let verdict: Verdict = ACCEPT
  for (const received of list) {
    // The pool gets a copy, which does not keep the whole message in memory: the pool counts only the evidence.
    const evidence = compactCopy(Evidence, received)
    exchanged.add(evidence)
    // The pool takes the cost of exact checks of signatures from this budget. While the budget is used up, no further
    // message of the peer is read.
    await exactChecks?.take(0)
    try {
      await pool.addEvidence(evidence)
    } catch (error) {
      if (isCodedError(error, EVIDENCE_ERRORS.invalid)) return rejectError(error)
      // This node began with a snapshot, and the header that the evidence needs is still being fetched. This is not a
      // fault of the peer. The peer sends the evidence again later.
      if (isCodedError(error, EVIDENCE_ERRORS.noHeader)) return ignore(error.code, error.message)
      if (isCodedError(error, EVIDENCE_ERRORS.full)) {
        // The pool has no room for this evidence, but may have room for evidence against another validator. So the loop
        // continues. The peer sends the refused evidence again later.
        verdict = ignore(error.code, error.message)
        continue
      }
      logger.error('Evidence has not been added', { peer: peer.id, err: messageOf(error) })
    }
  }
  return verdict
}

/**
 * Sends pending evidence to each peer whose height is above the height of the evidence, and receives evidence from
 * peers.
 */
export function createEvidenceGossip(modules: EvidenceGossipModules): EvidenceGossip {
  const { pool, heights, maxAgeNumBlocks, clock } = modules
  const life = createLifecycle({
    name: 'evidence gossip',
    start: (signal) => repeat(clock, { everyMs: REPEAT_MS, run: sendAgain, signal }),
  })

  function isFor({ peer, exchanged }: PeerEntry, evidence: Evidence): boolean {
    const age = heights.heightOf(peer.id) - evidenceHeight(evidence)
    return age > 0 && BigInt(age) <= maxAgeNumBlocks() && !exchanged.has(evidence)
  }

  async function sendPending(entry: PeerEntry): Promise<void> {
    entry.mustRepeat = true
    if (entry.busy) return
    entry.busy = true
    while (entry.mustRepeat) {
      entry.mustRepeat = false
      await sendEach(entry)
    }
    entry.busy = false
  }

  /** Sends the peer the evidence that it lacks, until a send fails. */
  async function sendEach(entry: PeerEntry): Promise<void> {
    for (const evidence of pool.gossip()) {
      if (peers.get(entry.peer.id) !== entry) return
      if (!isFor(entry, evidence)) continue
      const message = EvidenceList.encode({ evidence: [evidence] })
      // If a message is too long, the peer would end the connection, so the message is not sent. If the send fails, the
      // evidence is sent again when new evidence comes, when the peer's height changes, or after `REPEAT_MS`.
      const isTooLong = message.length > MAX_MESSAGE_SIZE
      if (!isTooLong && !(await entry.peer.send(EVIDENCE_CHANNEL, message))) return
      entry.exchanged.add(evidence)
    }
  }

  function sendToAll(): void {
    for (const entry of peers.values()) void sendPending(entry)
  }

  function sendAgain(): void {
    for (const entry of peers.values()) entry.exchanged = new WeakSet()
    sendToAll()
  }

  const protocol = defineProtocol<EvidenceMessage, PeerEntry>({
    name: 'evidence',
    labels: [undefined, 'types_EvidenceList'],
    channels: [
      {
        id: EVIDENCE_CHANNEL,
        priority: 6,
        capacity: SEND_QUEUE_CAPACITY,
        maxBytes: MAX_MESSAGE_SIZE,
        carries: ['evidenceList'],
      },
    ],
    decode,
    handlers: { evidenceList: (entry, list) => receiveEvidence(entry, list, modules) },
    join: (peer) => ({ peer, exchanged: new WeakSet<Evidence>(), busy: false, mustRepeat: false }),
    joined: (entry) => void sendPending(entry),
  })
  const { peers } = protocol

  pool.onEvidence(sendToAll, life.signal)
  heights.onHeight((id) => {
    const entry = peers.get(id)
    if (entry !== undefined) void sendPending(entry)
  }, life.signal)

  return { reactor: protocol, start: life.start, stop: life.stop }
}
