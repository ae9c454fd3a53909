import {
  createLifecycle,
  createListeners,
  type Held,
  nextTurn as nextEventLoopTurn,
  type Service,
  type Sizes,
} from '@org/runtime'
import type { State } from '@org/types'
import { createExactChecks, POOLED_SIGNATURES } from '../../signatures/index.ts'
import { type ConsensusMessage, createMachine, type Machine, type RoundState, waitsForTxs } from '../machine/index.ts'
import { createDurableLog } from './durable-log.ts'
import { CONSENSUS_ERRORS, ConsensusError } from './errors.ts'
import { createFeeder } from './feeder.ts'
import { createHaltReport } from './halt-report.ts'
import { createInbox, type PeerMaj23 } from './inbox.ts'
import { createInputLoop } from './input-loop.ts'
import { loadInitialState } from './last-commit.ts'
import { createConsensusMetrics } from './metrics.ts'
import type { ConsensusOptions } from './options.ts'
import { createOutbox } from './outbox.ts'
import { createPeerInputs } from './peer-inputs.ts'
import type { ConsensusModules, GossipPort } from './ports.ts'
import { createItemProcessor } from './process-item.ts'
import { recoverFromLog } from './recover.ts'
import { createRememberingVerifier } from './signatures.ts'
import { createTicker } from './ticker.ts'

export interface Consensus extends Service {
  /**
   * Returns the state of the machine; before `start`, the state from which the machine will begin. Each step of the
   * machine changes the members of the returned object.
   */
  readonly roundState: () => Readonly<RoundState>
  /**
   * Accepts a peer's message. Resolves when the message is in the queue. Until then the caller must not read further
   * messages from this peer.
   */
  readonly receive: (peerId: string, message: ConsensusMessage) => Promise<void>
  /** Drops the waiting messages of a faulty peer. The caller ends the connection to this peer. */
  readonly forget: (peerId: string) => void
  /** Must be called when a peer has disconnected. Drops its message that waits for room in the queue. */
  readonly leave: (peerId: string) => void
  /** Accepts a peer's claim that +2/3 voted for a block. */
  readonly receiveMaj23: (claim: PeerMaj23) => Promise<void>
  /**
   * Replaces the state of the chain from which consensus begins, because block sync has applied more blocks. Call it
   * before `start`.
   */
  readonly resetTo: (state: State) => void
  /**
   * Sets the gossip to which consensus sends its judgements, and its hints about data that peers may lack
   * (`GossipHint`).
   */
  readonly setGossip: (gossip: GossipPort) => void
  /**
   * Returns true if everything that this node signed is durable. While it returns false, no part of the round state may
   * be sent to peers.
   */
  readonly isDurable: () => boolean
  /**
   * Calls `listener` with the error when a fault stops consensus, or at once if a fault has already stopped it. Does
   * nothing after the signal has aborted.
   */
  readonly onHalt: (listener: (error: ConsensusError) => void, signal?: AbortSignal) => void
  readonly isRunning: () => boolean
  /**
   * Returns true while consensus has work to do: inputs to process, or data to make durable. Returns false while
   * consensus only waits for a peer, a transaction or a timeout.
   */
  readonly isBusy: () => boolean
  /** Calls `listener` when a height is committed, and each time when consensus has no more work to do. */
  readonly onPause: (listener: () => void, signal?: AbortSignal) => void
  readonly sizes: () => Sizes
  /** Returns the number of a peer's messages that wait for the machine, and their total size in bytes. */
  readonly heldFor: (peerId: string) => Held
}

/**
 * Creates the driver; no other code feeds inputs to the machine. Throws `CONSENSUS_LAST_COMMIT` if the stored commit of
 * the last block is missing or invalid. The function is long because it connects all parts of the driver; each part has
 * its own file.
 */
export function createConsensus(options: ConsensusOptions, modules: ConsensusModules): Consensus {
  const { clock, logger, verifiedVotes, signatures = POOLED_SIGNATURES, nextTurn = nextEventLoopTurn } = modules
  const verify = createRememberingVerifier(verifiedVotes, signatures)
  const life = createLifecycle({
    name: 'consensus',
    start: begin,
    // An error of a failed commit is ignored here, because `halt` has reported it already.
    finish: () =>
      modules.executor
        .durable()
        .then(outbox.makeDurable)
        .catch(() => undefined),
    close: () => durableLog.close(),
    failed: (error) => halt.report(error),
    // The function `stop` waits at most for this time, even if the application does not answer.
    stopTimeout: { clock, ms: options.stopTimeoutMs },
  })
  const { signal } = life
  const inbox = createInbox({ capacity: options.queueCapacity, maxBytes: options.queueBytes, signal })
  const durableLog = createDurableLog(modules, (error) => life.fail(error))
  const { wal } = durableLog
  const peerInputs = createPeerInputs(options, {
    inbox,
    verifiedVotes,
    signatures,
    exactChecks: modules.exactChecks ?? createExactChecks(clock),
    state: () => machine.state,
    judgement,
    signal,
  })
  const ticker = createTicker(clock, inbox.timeout, signal)
  const halt = createHaltReport(logger)
  const pauseListeners = createListeners()
  const outbox = createOutbox({
    makeDurable: durableLog.makeDurable,
    soon: (run) => void nextTurn().then(run),
    onDurable: () => {
      gossip?.onDurable?.()
      if (loop.isResting()) pause()
    },
    onError: (error) => life.fail(error),
  })
  const feeder = createFeeder({
    modules,
    machine: () => machine,
    wal,
    outbox,
    metrics: createConsensusMetrics(modules.metrics, clock),
    enqueueOwn: inbox.enqueueOwn,
    schedule: ticker.schedule,
    hint: (hint) => gossip?.hint(hint, machine.state),
    judgement,
    onCommitted: pause,
    isStopped,
    signal,
  })
  let gossip = modules.gossip
  let machine = makeMachine(modules.state)
  const processItem = createItemProcessor({
    ...peerInputs,
    wal,
    outbox,
    feeder,
    state: () => machine.state,
    judgement,
    isStopped,
    clock,
    logger,
  })
  const loop = createInputLoop({
    inbox,
    processItem,
    wal,
    onRest: () => {
      if (outbox.isDurable()) pause()
    },
    clock,
    nextTurn,
    sliceMs: options.sliceMs,
  })

  function makeMachine(state: State): Machine {
    return createMachine(options, loadInitialState(state, modules), { verify })
  }

  function isStopped(): boolean {
    return signal.aborted
  }

  function judgement(...given: Parameters<GossipPort['judgement']>): void {
    gossip?.judgement(...given)
  }

  function pause(): void {
    pauseListeners.call()
  }

  async function begin(): Promise<void> {
    await recoverFromLog({ durableLog, outbox, feeder, state: () => machine.state, clock, logger, isStopped })
    if (signal.aborted) return
    if (waitsForTxs(options)) {
      modules.mempool.enableTxsAvailable()
      modules.mempool.txsAvailable(inbox.txsAvailable, signal)
    }
    ticker.start()
    life.run(loop.run)
  }

  return {
    roundState: () => machine.state,
    receive: peerInputs.receive,
    forget: peerInputs.forget,
    leave: peerInputs.leave,
    receiveMaj23: peerInputs.receiveMaj23,
    resetTo: (state) => {
      if (life.status() !== 'created')
        throw new ConsensusError(
          CONSENSUS_ERRORS.internal,
          'the state cannot be replaced after the start of consensus: call resetTo before start',
        )
      machine = makeMachine(state)
    },
    setGossip: (port) => {
      gossip = port
    },
    isDurable: outbox.isDurable,
    onHalt: halt.onHalt,
    isRunning: life.isActive,
    isBusy: () => life.isActive() && !(loop.isResting() && outbox.isDurable()),
    onPause: pauseListeners.add,
    heldFor: peerInputs.heldFor,
    sizes: () => ({
      inbox: inbox.size(),
      inboxBytes: inbox.byteSize(),
      localInARow: inbox.localInARow(),
      later: peerInputs.exactCheckQueue.size(),
      held: outbox.size(),
      log: durableLog.buffered(),
      rounds: machine.state.votes.rounds,
    }),
    start: life.start,
    stop: life.stop,
  }
}
