import {
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
  PROPOSAL_REFUSALS,
  type RoundState,
  type Verdict,
  VOTE_REFUSALS,
  waitsForTxs,
} from '../machine/index.ts'
import { WAL_ERRORS, type Wal } from '../wal/index.ts'
import { CONSENSUS_ERRORS, ConsensusError, failingAs } from './errors.ts'
import { createFeeder } from './feeder.ts'
import { createInbox, type Item, type PeerMaj23, type PeerMessage } from './inbox.ts'
import { loadInitialState } from './last-commit.ts'
import { createLater } from './later.ts'
import { messageSize } from './message-size.ts'
import { createConsensusMetrics } from './metrics.ts'
import type { ConsensusOptions } from './options.ts'
import { createOutbox } from './outbox.ts'
import type { ConsensusModules, GossipPort } from './ports.ts'
import { messageRecord, timeoutRecord } from './records.ts'
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
   * Calls `listener` when consensus stops by itself, or at once if it has stopped. Returns a function that removes
   * the listener.
   */
  readonly onHalt: (listener: (error: ConsensusError) => void) => () => void
  readonly isRunning: () => boolean
  /** True while this process works on a height: it waits for neither a peer nor a timeout. */
  readonly isBusy: () => boolean
  /** Calls `listener` when a height is committed, and when the work of this process ends. */
  readonly onPause: (listener: () => void) => void
  readonly sizes: () => Sizes
  /** The messages of a peer that wait for the machine. */
  readonly heldFor: (peerId: string) => Held
}

function forged({ kind }: ConsensusMessage): Verdict {
  const code = kind === 'proposal' ? PROPOSAL_REFUSALS.invalidSignature : VOTE_REFUSALS.invalidSignature
  return { outcome: 'reject', code, reason: 'invalid signature', fault: 'forged' }
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
      onOverflow: ({ peerId, message }) => gossip?.verdict(peerId, message, TOO_MANY_TO_CHECK),
    },
  )
  const ticker = createTicker(clock, inbox.timeout)
  const haltListeners = new Set<(error: ConsensusError) => void>()
  const pauseListeners: (() => void)[] = []
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
    verdict: (...given) => gossip?.verdict(...given),
    onCommitted: pause,
    isStopped,
  })
  let gossip = modules.gossip
  let machine = makeMachine(modules.state)
  let wal: Wal | undefined
  let status: 'new' | 'running' | 'stopped' = 'new'
  let failure: ConsensusError | undefined
  let working: Promise<void> = Promise.resolve()
  let stopTxs: () => void = () => undefined
  /** True if nothing waits for the machine. */
  let isResting = false

  function makeMachine(state: State): Machine {
    return createMachine(options, loadInitialState(state, modules), { verify })
  }

  function isStopped(): boolean {
    return status === 'stopped' || failure !== undefined
  }

  function isRunning(): boolean {
    return status === 'running' && failure === undefined
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

  /**
   * Appends a peer's message to the WAL. A message whose record is too long is refused: a replay would not see it, so it must
   * not reach the machine. The reference logs the same fault and processes the message.
   */
  function appendPeerMessage({ peerId, message }: PeerMessage, time: bigint): boolean {
    try {
      log().append(messageRecord(peerId, message), time)
      return true
    } catch (error) {
      if (!isCodedError(error, WAL_ERRORS.tooBig)) throw error
      logger.error('Refused a message of a peer, because it is too large for the WAL', {
        peer: peerId,
        kind: message.kind,
        code: error.code,
        err: error.message,
      })
      gossip?.verdict(peerId, message, {
        outcome: 'reject',
        code: error.code,
        reason: error.message,
        fault: 'oversized',
      })
      return false
    }
  }

  /** Returns true if a peer's message may be logged and fed. The machine finds its valid signatures in memory. */
  async function admit(item: Extract<Item, { kind: 'peer' }>): Promise<boolean> {
    const admission = await gate.admit(item, machine.state, later.isPaid(item))
    if (admission === 'later') later.keep(item)
    else if (admission === 'forged') gossip?.verdict(item.peerId, item.message, forged(item.message))
    return admission === 'pass'
  }

  /** Writes an item to the WAL and feeds it. */
  async function process(item: Item): Promise<void> {
    if (item.kind === 'peer' && (!(await admit(item)) || isStopped())) return
    const time = clock.now()
    switch (item.kind) {
      case 'own':
        log().append(messageRecord('', item.message), time)
        // This node's own message is fed at once; others receive it only after it is on disk.
        outbox.touch()
        return feeder.feed({ type: 'message', time, peerId: '', message: item.message })
      case 'peer':
        if (!appendPeerMessage(item, time)) return
        return feeder.feed({ type: 'message', time, peerId: item.peerId, message: item.message })
      case 'timeout':
        log().append(timeoutRecord(item.timeout), time)
        return feeder.feed({ type: 'timeout', time, timeout: item.timeout })
      case 'txsAvailable':
        return feeder.feed({ type: 'txsAvailable', time })
      case 'peerMaj23':
        return feeder.feed({ type: 'peerMaj23', time, ...item.claim })
    }
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
      await process(item)
      if (clock.monotonic() < sliceEnd) continue
      // If no step waited for a disk, other work had no turn.
      await nextTurn()
      sliceEnd = clock.monotonic() + options.sliceMs
    }
  }

  function halt(error: unknown): void {
    if (isStopped()) return
    failure = toConsensusError(error)
    ticker.stop()
    inbox.close()
    later.close()
    logger.error('CONSENSUS FAILURE!!!', { code: failure.code, err: failure.message, stack: stackOf(error) })
    for (const listener of [...haltListeners]) listener(failure)
  }

  function pause(): void {
    for (const listener of pauseListeners) listener()
  }

  function checkNew(): void {
    if (status === 'new') return
    throw new ConsensusError(CONSENSUS_ERRORS.internal, 'consensus was started before')
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

  async function start(): Promise<void> {
    checkNew()
    status = 'running'
    working = open()
    await working
    if (isStopped()) return
    if (waitsForTxs(options)) {
      modules.mempool.enableTxsAvailable()
      stopTxs = modules.mempool.txsAvailable(inbox.txsAvailable)
    }
    ticker.start()
    working = run().catch(halt)
  }

  async function stop(): Promise<void> {
    if (status === 'stopped') return
    status = 'stopped'
    stopTxs()
    ticker.stop()
    inbox.close()
    later.close()
    const abort = new AbortController()
    // An application that hangs must not keep the node from stopping.
    const patience = clock.sleep(options.stopTimeoutMs, abort.signal).catch(() => undefined)
    const resting = working
      .then(modules.executor.durable)
      .then(outbox.settle)
      .catch(() => undefined)
    await Promise.race([resting, patience])
    abort.abort()
    await wal?.close()
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
      checkNew()
      machine = makeMachine(state)
    },
    setGossip: (port) => {
      gossip = port
    },
    isSettled: outbox.isSettled,
    onHalt: (listener) => {
      if (failure !== undefined) listener(failure)
      else haltListeners.add(listener)
      return () => void haltListeners.delete(listener)
    },
    isRunning,
    isBusy: () => isRunning() && !(isResting && outbox.isSettled()),
    onPause: (listener) => void pauseListeners.push(listener),
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
    start,
    stop,
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
