import type { Clock, Logger } from '@org/runtime'
import { SignedMsgType } from '@org/types'
import type { ConsensusMessage, Input, RoundState } from '../machine/index.ts'
import type { Wal, WalTail } from '../wal/index.ts'
import type { Feeder } from './feeder.ts'
import { type OwnMessages, readOwnMessages } from './own-messages.ts'
import { endHeightRecord, inputFromRecord } from './wal-records.ts'

export interface ReplayModules {
  readonly wal: Wal
  readonly feeder: Feeder
  readonly clock: Clock
  readonly logger: Logger
  /** Called with each recorded message of this node before the replay feeds it to the machine. */
  readonly restoreSignState: (message: ConsensusMessage) => void
  readonly isStopped: () => boolean
}

/**
 * Restores the state that the machine had when the node stopped. Feeds the recorded messages of the undecided height.
 */
export async function replayTail(
  { endHeight, messages }: WalTail,
  state: Readonly<RoundState>,
  { wal, feeder, clock, logger, restoreSignState, isStopped }: ReplayModules,
): Promise<void> {
  const { height, chain } = state
  const decided = height === chain.initialHeight ? 0 : height - 1
  if (endHeight !== decided) {
    // The end-height mark of the last block is missing in the WAL, because a crash lost it, or because block sync
    // applied blocks without writing marks. All messages after the last mark belong to decided heights. So no message
    // is replayed, and only the missing mark is written.
    wal.append(endHeightRecord(decided), clock.now())
    await wal.sync()
    return
  }
  const inputs = messages.map(inputFromRecord).filter((input) => input !== undefined)
  if (inputs.length === 0) return
  logger.info('Catchup by replaying consensus messages', { height, messages: inputs.length })
  const record = readOwnMessages(messages)
  for (const input of inputs) if (input.type === 'message' && input.peerId === '') restoreSignState(input.message)
  for (const input of inputs) {
    if (isStopped()) return
    const claim = claimFor(input, record)
    if (claim !== undefined) await feeder.replay(claim, record)
    await feeder.replay(input, record)
  }
  logger.info('Replay: Done')
}

/**
 * Returns a claim of +2/3 that the replay must feed to the machine before this input; `undefined` if no claim is
 * needed.
 *
 * If this node precommitted a block in a round, the block had a polka in this round. The replay must find this polka
 * again. If the replay missed it, this node would lose its lock. The polka may contain the second vote of an
 * equivocating validator. The machine counts a second vote only if a peer claims +2/3 for the block, but the WAL does
 * not contain the claims of peers. So this function makes a claim before each prevote of the round. One claim at the
 * beginning is not enough: the machine drops a claim for a round that is not open yet, and votes of a round can arrive
 * early.
 */
function claimFor(input: Input, { precommitted }: OwnMessages): Input | undefined {
  if (input.type !== 'message' || input.message.kind !== 'vote') return undefined
  const { height, round, type: voteType } = input.message.vote
  const blockId = precommitted.get(round)
  if (voteType !== SignedMsgType.prevote || blockId === undefined) return undefined
  return { type: 'peerMaj23', time: input.time, peerId: '', height, round, voteType, blockId }
}
