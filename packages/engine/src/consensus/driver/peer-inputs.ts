import type { Budget, Held } from '@org/runtime'
import type { SignatureChecker } from '../../signatures/index.ts'
import type { ConsensusMessage, Judgement, RoundState } from '../machine/index.ts'
import { createExactCheckQueue, type ExactCheckQueue } from './exact-check-queue.ts'
import type { Inbox, PeerMaj23 } from './inbox.ts'
import { messageSize } from './message-size.ts'
import type { ConsensusOptions } from './options.ts'
import type { SignatureMemory } from './ports.ts'
import { createSignatureGate, type SignatureGate } from './signature-gate.ts'
import { createAheadVerifier } from './verify-ahead.ts'

interface PeerInputModules {
  readonly inbox: Inbox
  readonly verifiedVotes: SignatureMemory
  readonly signatures: SignatureChecker
  readonly exactChecks: Budget
  readonly state: () => Readonly<RoundState>
  readonly judgement: (peerId: string, message: ConsensusMessage, judgement: Judgement) => void
  /** Aborts when consensus stops. Then the messages that wait for exact checks are dropped. */
  readonly signal: AbortSignal
}

/**
 * Puts the messages of peers into the inbox, and begins to verify their signatures. Messages whose signatures need
 * exact checks wait in `later` until the budget grants these checks.
 */
export interface PeerInputs {
  readonly gate: SignatureGate
  readonly exactCheckQueue: ExactCheckQueue
  /**
   * Accepts a peer's message. Resolves when the message is in the inbox. If the inbox is full, the message waits first.
   */
  readonly receive: (peerId: string, message: ConsensusMessage) => Promise<void>
  readonly receiveMaj23: (claim: PeerMaj23) => Promise<void>
  /** Drops the waiting messages of a peer: those in the inbox, and those that wait for exact checks. */
  readonly forget: (peerId: string) => void
  /**
   * Drops the message of a disconnected peer that waits for room in the inbox. Its messages in the inbox stay.
   * Otherwise a peer that connects again and again, while consensus waits for the application, could make any number of
   * messages wait.
   */
  readonly leave: (peerId: string) => void
  /** Returns the number of waiting messages of a peer, and their total size in bytes. */
  readonly heldFor: (peerId: string) => Held
}

const TOO_MANY_TO_CHECK: Judgement = {
  outcome: 'reject',
  code: 'CONSENSUS_TOO_MANY_EXACT_CHECKS',
  reason: 'too many messages of the peer wait for the exact check of a signature',
  fault: 'overload',
}

export function createPeerInputs(
  options: Pick<ConsensusOptions, 'queueCapacity' | 'queueBytes'>,
  { inbox, verifiedVotes: memory, signatures, exactChecks, state, judgement, signal }: PeerInputModules,
): PeerInputs {
  const ahead = createAheadVerifier({ ...signatures, memory })
  const gate = createSignatureGate({ memory, signatures, exactChecks })
  const exactCheckQueue = createExactCheckQueue(
    { capacity: options.queueCapacity, maxBytes: options.queueBytes, signal },
    {
      exactChecks,
      costOf: gate.costOf,
      resume: inbox.requeue,
      onOverflow: ({ peerId, message }) => judgement(peerId, message, TOO_MANY_TO_CHECK),
    },
  )
  return {
    gate,
    exactCheckQueue,
    receive: async (peerId, message) => {
      if (exactCheckQueue.has(peerId) && !(await exactCheckQueue.whenEmpty(peerId))) return
      const ready = ahead.verify(peerId, message, state())
      await inbox.peer({ kind: 'peer', peerId, message, size: messageSize(message), ready })
    },
    receiveMaj23: (claim) => inbox.peer({ kind: 'peerMaj23', claim }),
    forget: (peerId) => {
      inbox.drop(peerId)
      exactCheckQueue.drop(peerId)
    },
    leave: (peerId) => {
      inbox.dropWaiting(peerId)
      exactCheckQueue.dropWaiting(peerId)
    },
    heldFor: (peerId) => {
      const [waiting, unchecked] = [inbox.heldFor(peerId), exactCheckQueue.heldFor(peerId)]
      return { items: waiting.items + unchecked.items, bytes: waiting.bytes + unchecked.bytes }
    },
  }
}
