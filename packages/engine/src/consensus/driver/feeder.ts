import {
  type Call,
  type ConsensusMessage,
  type Effect,
  type GossipHint,
  type Input,
  isCall,
  type Judgement,
  type Machine,
  type Timeout,
} from '../machine/index.ts'
import type { Wal } from '../wal/index.ts'
import { CONSENSUS_ERRORS, ConsensusError } from './errors.ts'
import { eventDataOf, newRoundStepEvent } from './events.ts'
import type { ConsensusMetrics } from './metrics.ts'
import type { Outbox } from './outbox.ts'
import type { OwnMessages } from './own-messages.ts'
import { performCall } from './perform-call.ts'
import type { ConsensusModules } from './ports.ts'
import { stepRecord } from './wal-records.ts'

export interface FeederModules {
  readonly modules: ConsensusModules
  readonly machine: () => Machine
  readonly wal: () => Wal
  readonly outbox: Outbox
  readonly metrics: ConsensusMetrics
  readonly enqueueOwn: (message: ConsensusMessage) => void
  readonly schedule: (timeout: Timeout) => void
  readonly hint: (hint: GossipHint) => void
  readonly judgement: (peerId: string, message: ConsensusMessage, judgement: Judgement) => void
  /** Called when a block is committed, before the machine receives the result and begins the next height. */
  readonly onCommitted: () => void
  readonly isStopped: () => boolean
  /** Aborts when consensus stops. */
  readonly signal: AbortSignal
}

/** Feeds inputs to the machine, and performs the effects that the machine returns. */
export interface Feeder {
  /**
   * Feeds one input. If the machine then returns a call, such as a question to the application, performs the call and
   * feeds its result. Repeats this until the machine returns no further call. Rejects with a `ConsensusError`.
   */
  readonly feed: (input: Input) => Promise<void>
  /**
   * Feeds an input during a replay of the WAL. `record` contains the messages that this node sent before the restart.
   * If the machine asks to sign one of these messages again, the signer is not called, and the message is not put into
   * the inbox. The steps of the machine are not written to the WAL, because the WAL has them already.
   */
  readonly replay: (input: Input, record: OwnMessages) => Promise<void>
}

export function createFeeder(given: FeederModules): Feeder {
  const { modules, outbox, metrics, isStopped } = given
  const { clock, logger, events, evidencePool } = modules

  async function feed(input: Input, record?: OwnMessages): Promise<void> {
    const machine = given.machine()
    let effects = machine.step(input)
    for (;;) {
      const call = performAll(effects, record)
      if (call === undefined || isStopped()) return
      const result = record?.answer(call, machine.state) ?? (await answer(call))
      if (isStopped()) return
      effects = machine.step({ type: 'result', time: clock.now(), result })
    }
  }

  async function answer(call: Call) {
    const { state } = given.machine()
    const result = await performCall(call, { modules, wal: given.wal(), state, outbox, signal: given.signal })
    metrics.answered(call, result, state)
    if (call.type === 'commitBlock') given.onCommitted()
    return result
  }

  /**
   * Performs the effects in order. If the last effect is a call (an effect with a result), returns the call without
   * performing it; otherwise returns `undefined`.
   */
  function performAll(effects: readonly Effect[], record: OwnMessages | undefined): Call | undefined {
    for (const effect of effects) {
      if (isCall(effect)) return effect
      perform(effect, record)
    }
    return undefined
  }

  function perform(effect: Exclude<Effect, Call>, record: OwnMessages | undefined): void {
    const { state } = given.machine()
    switch (effect.type) {
      case 'own':
        if (record?.has(effect.message) !== true) given.enqueueOwn(effect.message)
        return
      case 'schedule':
        given.schedule(effect.timeout)
        return
      case 'newStep':
        if (record === undefined) given.wal().append(stepRecord(effect), clock.now())
        metrics.stepped(effect, state)
        publish(newRoundStepEvent(effect))
        return
      case 'publish':
        // The node stays in the step `newRound` while there are no transactions to propose. So the metrics measure this
        // step too.
        if (effect.event.type === 'NewRound') metrics.stepped(effect.event, state)
        publish(eventDataOf(effect.event))
        return
      case 'gossip':
        outbox.send(() => given.hint(effect.hint))
        return
      case 'judgement':
        metrics.judged(effect, state)
        if (effect.peerId !== '') given.judgement(effect.peerId, effect.message, effect.judgement)
        return
      case 'conflictingVotes':
        evidencePool.reportConflictingVotes(...effect.votes)
        return
      case 'note':
        logger[effect.level](effect.message, effect.fields)
        return
      case 'halt':
        throw new ConsensusError(CONSENSUS_ERRORS.machine, effect.error.message, { cause: effect.error })
    }
  }

  function publish(event: Parameters<ConsensusModules['events']['publish']>[0]): void {
    outbox.publish(() => {
      try {
        events.publish(event)
      } catch (error) {
        logger.error('Failed to publish an event', { event: event.type, error })
      }
    })
  }

  return { feed: (input) => feed(input), replay: feed }
}
