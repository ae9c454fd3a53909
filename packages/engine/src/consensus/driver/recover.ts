import type { Clock, Logger } from '@org/runtime'
import type { ConsensusMessage, RoundState } from '../machine/index.ts'
import type { DurableLog } from './durable-log.ts'
import type { Feeder } from './feeder.ts'
import type { Outbox } from './outbox.ts'
import { replayTail } from './replay.ts'

interface RecoverModules {
  readonly durableLog: DurableLog
  readonly outbox: Pick<Outbox, 'markDirty'>
  readonly feeder: Feeder
  readonly state: () => Readonly<RoundState>
  readonly clock: Clock
  readonly logger: Logger
  readonly isStopped: () => boolean
}

/** Opens the WAL, starts the machine, and feeds the machine the recorded messages of the undecided height. */
export async function recoverFromLog(modules: RecoverModules): Promise<void> {
  const { durableLog, outbox, feeder, state, clock, logger, isStopped } = modules

  function restoreSignState(message: ConsensusMessage): void {
    if (durableLog.restoreSignState(message)) outbox.markDirty()
  }

  const { wal, tail } = await durableLog.open()
  // The previous process may not have synced these messages. The replay may send votes and events that follow from
  // these messages, so the outbox must wait until the messages are durable.
  if (tail.messages.length > 0) outbox.markDirty()
  await feeder.feed({ type: 'start', time: clock.now() })
  await replayTail(tail, state(), { wal, feeder, clock, logger, restoreSignState, isStopped })
}
