import type { Service } from '@org/runtime'
import { isCodedError } from '@org/runtime'
import type { State } from '@org/types/state'
import {
  type Call,
  type ConsensusMessage,
  createMachine,
  type Effect,
  type Input,
  isCall,
  type Machine,
  type Result,
  type RoundState,
  waitsForTxs,
} from '../machine/index.ts'
import type { Wal, WalTail } from '../wal/index.ts'
import { type CallContext, performCall } from './calls.ts'
import { CONSENSUS_ERRORS, ConsensusError, failingAs } from './errors.ts'
import { eventDataOf, newRoundStepEvent } from './events.ts'
import { createInbox, type Item, type PeerMaj23 } from './inbox.ts'
import { loadInitialState } from './last-commit.ts'
import { createConsensusMetrics } from './metrics.ts'
import type { ConsensusOptions } from './options.ts'
import { createOutbox } from './outbox.ts'
import { type OwnRecord, readOwnRecord } from './own-record.ts'
import type { ConsensusModules, GossipPort } from './ports.ts'
import { endHeightRecord, inputFromRecord, messageRecord, stepRecord, timeoutRecord } from './records.ts'
import { createRememberingVerifier, verifyAhead } from './signatures.ts'
import { createTicker } from './ticker.ts'

export interface Consensus extends Service {
  /** Where the machine stands; live. Before `start` where it will begin. */
  readonly roundState: () => Readonly<RoundState>
  /** Takes a peer's message. Resolves when there is room for it: until then the peer should not be read. */
  readonly receive: (peerId: string, message: ConsensusMessage) => Promise<void>
  /** Takes a peer's claim of +2/3 for a block. */
  readonly receiveMaj23: (claim: PeerMaj23) => Promise<void>
  /** Before `start`: begin after another state, since blocks came from elsewhere. */
  readonly resetTo: (state: State) => void
  /** Who speaks to peers; from now on. */
  readonly setGossip: (gossip: GossipPort) => void
  /**
   * Resolves when all that this node signed is durable: nothing of the round state may be shown to peers before. True at
   * every hint to the gossip port.
   */
  readonly settled: () => Promise<void>
  /** Calls `listener` when consensus stops by itself, or at once if it has. Returns how to stop that. */
  readonly onHalt: (listener: (error: ConsensusError) => void) => () => void
  readonly isRunning: () => boolean
}

const nextMacrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The only one that feeds the machine, and does what it says. Throws `CONSENSUS_LAST_COMMIT`. */
export function createConsensus(options: ConsensusOptions, modules: ConsensusModules): Consensus {
  const { clock, logger, events, evidencePool, verifiedVotes } = modules
  const nextTurn = modules.nextTurn ?? nextMacrotask
  const metrics = createConsensusMetrics(modules.metrics, clock)
  const verify = createRememberingVerifier(verifiedVotes)
  const inbox = createInbox(options.queueCapacity)
  const ticker = createTicker(clock, inbox.timeout)
  const outbox = createOutbox({ makeDurable, soon: (run) => void nextTurn().then(run), onError: halt })
  const haltListeners = new Set<(error: ConsensusError) => void>()
  let gossip = modules.gossip
  let machine = makeMachine(modules.state)
  let wal: Wal | undefined
  let replaying: OwnRecord | undefined
  let status: 'new' | 'starting' | 'running' | 'stopped' = 'new'
  let failure: ConsensusError | undefined
  let running: Promise<void> = Promise.resolve()

  function makeMachine(state: State): Machine {
    return createMachine(options, loadInitialState(state, modules), { verify })
  }

  const isStopped = (): boolean => status === 'stopped' || failure !== undefined

  /** The WAL first: what the signer remembers must follow from what is on disk. */
  async function makeDurable(): Promise<void> {
    const synced = failingAs(CONSENSUS_ERRORS.wal, 'the WAL cannot be written', () => log().sync())
    const settled = failingAs(CONSENSUS_ERRORS.signer, 'the signer failed', () => modules.privval?.settle?.(synced))
    await Promise.all([synced, settled])
  }

  function log(): Wal {
    if (wal === undefined) throw new ConsensusError(CONSENSUS_ERRORS.internal, 'the WAL is not open')
    return wal
  }

  /** Feeds one input and everything that comes back for it, until the machine rests. */
  async function feed(input: Input): Promise<void> {
    let effects = machine.step(input)
    for (;;) {
      const call = performAll(effects)
      if (call === undefined || isStopped()) return
      const result = await answer(call)
      if (isStopped()) return
      effects = machine.step({ type: 'result', time: clock.now(), result })
    }
  }

  async function answer(call: Call): Promise<Result> {
    const recorded = replaying?.answer(call, machine.state)
    if (recorded !== undefined) return recorded
    const context: CallContext = { modules, wal: log(), state: machine.state, outbox }
    const result = await performCall(call, context)
    metrics.answered(call, result, machine.state)
    return result
  }

  /** Does the effects in order, and returns the call among them: the last one. */
  function performAll(effects: readonly Effect[]): Call | undefined {
    for (const effect of effects) {
      if (isCall(effect)) return effect
      perform(effect)
    }
    return undefined
  }

  function perform(effect: Exclude<Effect, Call>): void {
    switch (effect.type) {
      case 'own':
        if (replaying?.has(effect.message) !== true) inbox.own(effect.message)
        return
      case 'schedule':
        ticker.schedule(effect.timeout)
        return
      case 'newStep':
        if (replaying === undefined) log().append(stepRecord(effect), clock.now())
        metrics.stepped(effect, machine.state)
        publish(newRoundStepEvent(effect))
        return
      case 'publish':
        publish(eventDataOf(effect.event))
        return
      case 'gossip':
        outbox.show(() => gossip?.hint(effect.hint, machine.state))
        return
      case 'verdict':
        metrics.judged(effect, machine.state)
        if (effect.peerId !== '') gossip?.verdict(effect.peerId, effect.message, effect.verdict)
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
    outbox.show(() => {
      try {
        events.publish(event)
      } catch (error) {
        logger.error('failed publishing an event', { event: event.type, error })
      }
    })
  }

  async function process(item: Item): Promise<void> {
    switch (item.kind) {
      case 'own':
        return processOwn(item.messages)
      case 'timeout': {
        const time = clock.now()
        const { timeout } = item
        log().append(timeoutRecord(timeout), time)
        return feed({ type: 'timeout', time, timeout })
      }
      case 'txsAvailable':
        return feed({ type: 'txsAvailable', time: clock.now() })
      case 'peerMaj23': {
        const { kind: _, ...claim } = item
        return feed({ type: 'peerMaj23', time: clock.now(), ...claim })
      }
      case 'peer': {
        await item.ready
        const time = clock.now()
        const { peerId, message } = item
        log().append(messageRecord(peerId, message), time)
        return feed({ type: 'message', time, peerId, message })
      }
    }
  }

  /** What this node says goes on at once; what others see of it waits in the outbox until it is on disk. */
  async function processOwn(messages: readonly ConsensusMessage[]): Promise<void> {
    const time = clock.now()
    for (const message of messages) log().append(messageRecord('', message), time)
    outbox.touch()
    for (const message of messages) {
      if (isStopped()) return
      await feed({ type: 'message', time, peerId: '', message })
    }
  }

  async function run(): Promise<void> {
    let sliceEnd = clock.monotonic() + options.sliceMs
    while (!isStopped()) {
      const item = inbox.next()
      if (item === undefined) {
        log().flush()
        await inbox.wait()
        continue
      }
      await process(item)
      if (clock.monotonic() < sliceEnd) continue
      // Others had no turn if nothing here waited for a disk.
      await nextTurn()
      sliceEnd = clock.monotonic() + options.sliceMs
    }
  }

  /** Brings the machine to where it was when the node stopped. */
  async function replay({ endHeight, messages }: WalTail): Promise<void> {
    const { height, chain } = machine.state
    const decided = height === chain.initialHeight ? 0 : height - 1
    if (endHeight !== decided) {
      // A crash took the mark, or blocks came from elsewhere. What is behind the last mark belongs to decided heights.
      log().append(endHeightRecord(decided), clock.now())
      await log().sync()
      return
    }
    const inputs = messages.map(inputFromRecord).filter((input) => input !== undefined)
    if (inputs.length === 0) return
    logger.info('Catchup by replaying consensus messages', { height, messages: inputs.length })
    replaying = readOwnRecord(messages)
    for (const input of inputs) {
      if (isStopped()) break
      await feed(input)
    }
    replaying = undefined
    logger.info('Replay: Done')
  }

  function halt(error: unknown): void {
    if (isStopped()) return
    failure =
      error instanceof ConsensusError
        ? error
        : new ConsensusError(
            isCodedError(error) && error.code.startsWith('WAL_') ? CONSENSUS_ERRORS.wal : CONSENSUS_ERRORS.internal,
            error instanceof Error ? error.message : String(error),
            { cause: error },
          )
    ticker.stop()
    inbox.close()
    logger.error('CONSENSUS FAILURE!!!', { code: failure.code, err: failure.message, stack: stackOf(error) })
    for (const listener of [...haltListeners]) listener(failure)
  }

  async function start(): Promise<void> {
    if (status !== 'new') throw new ConsensusError(CONSENSUS_ERRORS.internal, 'consensus was started before')
    status = 'starting'
    const opened = await modules.wal.open()
    wal = opened.wal
    // The first step of this run, as the reference writes it when its state is set.
    await feed({ type: 'start', time: clock.now() })
    await replay(opened.tail)
    if (isStopped()) return
    status = 'running'
    if (waitsForTxs(options)) {
      modules.mempool.enableTxsAvailable()
      stopTxs = modules.mempool.txsAvailable(inbox.txsAvailable)
    }
    ticker.start()
    running = run().catch(halt)
  }

  let stopTxs: () => void = () => undefined

  async function stop(): Promise<void> {
    if (status === 'stopped') return running
    status = 'stopped'
    stopTxs()
    ticker.stop()
    inbox.close()
    const abort = new AbortController()
    // An application that hangs must not keep the node from stopping.
    const patience = clock.sleep(options.stopTimeoutMs, abort.signal).catch(() => undefined)
    await Promise.race([running, patience])
    abort.abort()
    await wal?.close()
  }

  return {
    roundState: () => machine.state,
    receive: (peerId, message) => {
      const ready = verifyAhead(message, machine.state, verifiedVotes)
      return inbox.peer({ kind: 'peer', peerId, message, ready })
    },
    receiveMaj23: (claim) => inbox.peer({ kind: 'peerMaj23', ...claim }),
    resetTo: (state) => {
      if (status !== 'new') throw new ConsensusError(CONSENSUS_ERRORS.internal, 'consensus was started before')
      machine = makeMachine(state)
    },
    setGossip: (port) => {
      gossip = port
    },
    onHalt: (listener) => {
      if (failure !== undefined) listener(failure)
      else haltListeners.add(listener)
      return () => void haltListeners.delete(listener)
    },
    settled: outbox.settle,
    isRunning: () => status === 'running' && failure === undefined,
    start,
    stop,
  }
}

function stackOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.stack : undefined
}
