import { type Clock, isCodedError, type Logger } from '@org/runtime'
import {
  type ConsensusMessage,
  type Judgement,
  PROPOSAL_REFUSALS,
  type RoundState,
  VOTE_REFUSALS,
} from '../machine/index.ts'
import { WAL_ERRORS, type Wal } from '../wal/index.ts'
import type { ExactCheckQueue } from './exact-check-queue.ts'
import type { Feeder } from './feeder.ts'
import { hasEffect } from './has-effect.ts'
import type { Item, PeerMessage } from './inbox.ts'
import type { Outbox } from './outbox.ts'
import type { SignatureGate } from './signature-gate.ts'
import { messageRecord, timeoutRecord } from './wal-records.ts'

interface ProcessorModules {
  readonly gate: SignatureGate
  readonly exactCheckQueue: ExactCheckQueue
  readonly wal: () => Wal
  readonly outbox: Pick<Outbox, 'markDirty'>
  readonly feeder: Pick<Feeder, 'feed'>
  readonly state: () => Readonly<RoundState>
  readonly judgement: (peerId: string, message: ConsensusMessage, judgement: Judgement) => void
  readonly isStopped: () => boolean
  readonly clock: Clock
  readonly logger: Logger
}

function forged({ kind }: ConsensusMessage): Judgement {
  const code = kind === 'proposal' ? PROPOSAL_REFUSALS.invalidSignature : VOTE_REFUSALS.invalidSignature
  return { outcome: 'reject', code, reason: 'invalid signature', fault: 'forged' }
}

/**
 * Returns a function that feeds an item of the inbox to the machine. The function first writes messages and timeouts to
 * the WAL, except messages of peers that change nothing.
 */
export function createItemProcessor(modules: ProcessorModules): (item: Item) => Promise<void> {
  const { gate, exactCheckQueue, wal, outbox, feeder, isStopped, clock, logger } = modules

  /**
   * Appends a peer's message to the WAL. A message whose record is too long is refused: a replay would not contain it,
   * so it must not reach the machine. The reference logs the same fault and processes the message.
   */
  function appendPeerMessage({ peerId, message }: PeerMessage, time: bigint): boolean {
    try {
      wal().append(messageRecord(peerId, message), time)
      return true
    } catch (error) {
      if (!isCodedError(error, WAL_ERRORS.tooBig)) throw error
      logger.error('Refused a message of a peer, because it is too large for the WAL', {
        peer: peerId,
        kind: message.kind,
        code: error.code,
        err: error.message,
      })
      modules.judgement(peerId, message, {
        outcome: 'reject',
        code: error.code,
        reason: error.message,
        fault: 'oversized',
      })
      return false
    }
  }

  /**
   * Returns true if a peer's message may be written to the WAL and fed to the machine. In this case, the valid
   * signatures of the message have been remembered, so the machine does not verify them again.
   */
  async function admit(item: Extract<Item, { kind: 'peer' }>): Promise<boolean> {
    const admission = await gate.admit(item, modules.state(), exactCheckQueue.isGranted(item))
    if (admission === 'later') exactCheckQueue.add(item)
    else if (admission === 'forged') modules.judgement(item.peerId, item.message, forged(item.message))
    return admission === 'pass'
  }

  return async (item) => {
    if (item.kind === 'peer' && (!(await admit(item)) || isStopped())) return
    const time = clock.now()
    switch (item.kind) {
      case 'own':
        wal().append(messageRecord('', item.message), time)
        // This node's own message is fed to the machine at once. Peers receive the message only after it is on disk.
        outbox.markDirty()
        return feeder.feed({ type: 'message', time, peerId: '', message: item.message })
      case 'peer':
        if (hasEffect(item.message, modules.state(), item.peerId) && !appendPeerMessage(item, time)) return
        return feeder.feed({ type: 'message', time, peerId: item.peerId, message: item.message })
      case 'timeout':
        wal().append(timeoutRecord(item.timeout), time)
        return feeder.feed({ type: 'timeout', time, timeout: item.timeout })
      case 'txsAvailable':
        return feeder.feed({ type: 'txsAvailable', time })
      case 'peerMaj23':
        return feeder.feed({ type: 'peerMaj23', time, ...item.claim })
    }
  }
}
