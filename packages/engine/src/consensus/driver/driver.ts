import {
  createLifecycle,
  createListeners,
  type Held,
  isCodedError,
  messageOf,
  nextTurn as nextEventLoopTurn,
  type Service,
  type Sizes,
} from '@org/runtime'
import type { State } from '@org/types/state'
import { createExactChecks, POOLED_SIGNATURES } from '../../signatures/index.ts'
import {
  type ConsensusMessage,
  createMachine,
  type Machine,
  type RoundState,
  type Verdict,
  waitsForTxs,
} from '../machine/index.ts'
import { WAL_ERRORS, type Wal } from '../wal/index.ts'
import { CONSENSUS_ERRORS, ConsensusError, failingAs } from './errors.ts'
import { createFeeder } from './feeder.ts'
import { createInbox, type PeerMaj23 } from './inbox.ts'
import { loadInitialState } from './last-commit.ts'
import { createLater } from './later.ts'
import { messageSize } from './message-size.ts'
import { createConsensusMetrics } from './metrics.ts'
import type { ConsensusOptions } from './options.ts'
import { createOutbox } from './outbox.ts'
import type { ConsensusModules, GossipPort } from './ports.ts'
import { createItemProcessor } from './process-item.ts'
import { replayTail } from './replay.ts'
import { createSignatureGate } from './signature-gate.ts'
import { createRememberingVerifier } from './signatures.ts'
import { createTicker } from './ticker.ts'
import { createAheadVerifier } from './verify-ahead.ts'

export interface Consensus extends Service {
  /** The live state of the machine. Before `start`, the state with which it will begin. */
  readonly roundState: () => Readonly<RoundState>
  /** Accepts a peer's message. Resolves when there is room for it: until then, do not read from the peer. */
  readonly receive: (peerId: string, message: ConsensusMessage) => Promise<void>
  /** Drops the waiting messages of a faulty peer, whose connection ends. */
  readonly forget: (peerId: string) => void
  /** Accepts a peer's claim of +2/3 for a block. */
  readonly receiveMaj23: (claim: PeerMaj23) => Promise<void>
  /** Sets the state to begin after, because block sync brought blocks. Call it before `start`. */
  readonly resetTo: (state: State) => void
  /** Sets the port that sends to peers, from now on. */
  readonly setGossip: (gossip: GossipPort) => void
  /**
   * True when everything that this node signed is durable. Otherwise no part of the round state may be sent to peers.
   */
  readonly isSettled: () => boolean
  /**
   * Calls `listener` when consensus stops by itself, or at once if it has stopped, unless the signal aborts before.
   */
  readonly onHalt: (listener: (error: ConsensusError) => void, signal?: AbortSignal) => void
  readonly isRunning: () => boolean
  /** True while this process works on a height: it waits for neither a peer nor a timeout. */
  readonly isBusy: () => boolean
  /** Calls `listener` when a height is committed, and when the work of this process ends. */
  readonly onPause: (listener: () => void, signal?: AbortSignal) => void
  readonly sizes: () => Sizes
  /** The messages of a peer that wait for the machine. */
  readonly heldFor: (peerId: string) => Held
}

const TOO_MANY_TO_CHECK: Verdict = {
  outcome: 'reject',
  code: 'CONSENSUS_TOO_MANY_EXACT_CHECKS',
  reason: 'too many signatures that need an exact check',
  fault: 'overload',
}

/** Creates the driver, which alone feeds the machine. Throws `CONSENSUS_LAST_COMMIT`. */
export function createConsensus(options: ConsensusOptions, modules: ConsensusModules): Consensus {
  const { clock, logger, verifiedVotes, signatures = POOLED_SIGNATURES, nextTurn = nextEventLoopTurn } = modules
  const verify = createRememberingVerifier(verifiedVotes, signatures)
  const ahead = createAheadVerifier({ ...signatures, memory: verifiedVotes })
  const inbox = createInbox(options.queueCapacity, options.queueBytes)
  const exactChecks = modules.exactChecks ?? createExactChecks(clock)
  const gate = createSignatureGate({ memory: verifiedVotes, signatures, exactChecks })
  const later = createLater(
    { capacity: options.queueCapacity, maxBytes: options.queueBytes },
    {
      exactChecks,
      costOf: gate.costOf,
      resume: inbox.again,
      onOverflow: ({ peerId, message }) => verdict(peerId, message, TOO_MANY_TO_CHECK),
    },
  )
  const ticker = createTicker(clock, inbox.timeout)
  const haltListeners = createListeners<ConsensusError>()
  const pauseListeners = createListeners()
  const outbox = createOutbox({
    makeDurable,
    soon: (run) => void nextTurn().then(run),
    onSettled: () => {
      gossip?.settled?.()
      if (isResting) pause()
    },
    onError: halt,
  })
  const feeder = createFeeder({
    modules,
    machine: () => machine,
    wal: log,
    outbox,
    metrics: createConsensusMetrics(modules.metrics, clock),
    say: inbox.own,
    schedule: ticker.schedule,
    hint: (hint) => gossip?.hint(hint, machine.state),
    verdict,
    onCommitted: pause,
    isStopped,
  })
  let gossip = modules.gossip
  let machine = makeMachine(modules.state)
  let wal: Wal | undefined
  let failure: ConsensusError | undefined
  /** True if nothing waits for the machine. */
  let isResting = false
  const processItem = createItemProcessor({
    gate,
    later,
    wal: log,
    outbox,
    feeder,
    state: () => machine.state,
    verdict,
    isStopped,
    clock,
    logger,
  })
  const life = createLifecycle({
    name: 'consensus',
    start: begin,
    stop: closeDoors,
    // Without the errors that made consensus fail before.
    finish: () =>
      modules.executor
        .durable()
        .then(outbox.settle)
        .catch(() => undefined),
    close: () => wal?.close(),
    failed: report,
    // An application that hangs must not keep the node from stopping.
    patience: { clock, ms: options.stopTimeoutMs },
  })

  function makeMachine(state: State): Machine {
    return createMachine(options, loadInitialState(state, modules), { verify })
  }

  function isStopped(): boolean {
    return life.signal.aborted
  }

  function verdict(...given: Parameters<GossipPort['verdict']>): void {
    gossip?.verdict(...given)
  }

  function log(): Wal {
    if (wal === undefined) throw new ConsensusError(CONSENSUS_ERRORS.internal, 'the WAL is not open')
    return wal
  }

  /** The WAL is synced first: the signer's state must follow from what is on disk. */
  async function makeDurable(): Promise<void> {
    const synced = failingAs(CONSENSUS_ERRORS.wal, 'the WAL cannot be written', () => log().sync())
    const settled = failingAs(CONSENSUS_ERRORS.signer, 'the signer failed', () => modules.privval?.settle?.(synced))
    await Promise.all([synced, settled])
  }

  async function run(): Promise<void> {
    let sliceEnd = clock.monotonic() + options.sliceMs
    while (!isStopped()) {
      const item = inbox.next()
      if (item === undefined) {
        log().flush()
        isResting = true
        if (outbox.isSettled()) pause()
        await inbox.wait()
        isResting = false
        continue
      }
      await processItem(item)
      if (clock.monotonic() < sliceEnd) continue
      // If no step waited for a disk, other work had no turn.
      await nextTurn()
      sliceEnd = clock.monotonic() + options.sliceMs
    }
  }

  function halt(error: unknown): void {
    life.fail(error)
  }

  function report(error: unknown): void {
    failure = toConsensusError(error)
    closeDoors()
    logger.error('CONSENSUS FAILURE!!!', { code: failure.code, err: failure.message, stack: stackOf(error) })
    haltListeners.call(failure)
  }

  /** Nothing enters any more. */
  function closeDoors(): void {
    ticker.stop()
    inbox.close()
    later.close()
  }

  function pause(): void {
    pauseListeners.call()
  }

  /**
   * A crash may have lost the signer's state of a step that the WAL has: without the WAL, it would sign that step
   * again.
   */
  function recall(message: ConsensusMessage): void {
    if (message.kind === 'blockPart') return
    if (modules.privval?.recall?.(modules.state.chainId, message) === true) outbox.touch()
  }

  async function open(): Promise<void> {
    const opened = await modules.wal.open()
    wal = opened.wal
    // Replayed messages may be shown to others, so they are made durable first: the last process may not have synced
    // them.
    if (opened.tail.messages.length > 0) outbox.touch()
    await feeder.feed({ type: 'start', time: clock.now() })
    await replayTail(opened.tail, machine.state, { wal, feeder, clock, logger, recall, isStopped })
  }

  async function begin(signal: AbortSignal): Promise<void> {
    await open()
    if (signal.aborted) return
    if (waitsForTxs(options)) {
      modules.mempool.enableTxsAvailable()
      modules.mempool.txsAvailable(inbox.txsAvailable, signal)
    }
    ticker.start()
    life.run(run)
  }

  return {
    roundState: () => machine.state,
    receive: async (peerId, message) => {
      if (later.has(peerId)) await later.without(peerId)
      const ready = ahead.verify(peerId, message, machine.state)
      await inbox.peer({ kind: 'peer', peerId, message, size: messageSize(message), ready })
    },
    forget: (peerId) => {
      inbox.drop(peerId)
      later.drop(peerId)
    },
    receiveMaj23: (claim) => inbox.peer({ kind: 'peerMaj23', claim }),
    resetTo: (state) => {
      if (life.status() !== 'created')
        throw new ConsensusError(
          CONSENSUS_ERRORS.internal,
          'the state cannot be replaced, because consensus was started',
        )
      machine = makeMachine(state)
    },
    setGossip: (port) => {
      gossip = port
    },
    isSettled: outbox.isSettled,
    onHalt: (listener, signal) => {
      if (failure === undefined) haltListeners.add(listener, signal)
      else if (signal?.aborted !== true) listener(failure)
    },
    isRunning: life.isActive,
    isBusy: () => life.isActive() && !(isResting && outbox.isSettled()),
    onPause: pauseListeners.add,
    heldFor: (peerId) => {
      const [waiting, unchecked] = [inbox.heldFor(peerId), later.heldFor(peerId)]
      return { items: waiting.items + unchecked.items, bytes: waiting.bytes + unchecked.bytes }
    },
    sizes: () => ({
      inbox: inbox.size(),
      inboxBytes: inbox.byteSize(),
      localInARow: inbox.localInARow(),
      later: later.size(),
      held: outbox.size(),
      log: wal?.buffered() ?? 0,
      rounds: machine.state.votes.rounds,
    }),
    start: life.start,
    stop: life.stop,
  }
}

function toConsensusError(error: unknown): ConsensusError {
  if (error instanceof ConsensusError) return error
  const message = messageOf(error)
  const code = isCodedError(error, WAL_ERRORS.io) ? CONSENSUS_ERRORS.wal : CONSENSUS_ERRORS.internal
  return new ConsensusError(code, message, { cause: error })
}

function stackOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.stack : undefined
}
