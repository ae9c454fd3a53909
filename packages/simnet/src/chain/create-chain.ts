import type { Application } from '@org/abci'
import type { Engine } from '@org/engine'
import { createLifecycle, messageOf, noopLogger } from '@org/runtime'
import type { PrivateKey } from '@org/types/crypto'
import { createNetwork, type NetworkOptions, type SimNetwork } from '../network/index.ts'
import { ANSWER_WITHIN_MS } from '../world/index.ts'
import { badOption } from './arguments.ts'
import type { Chain, Snapshot } from './chain.ts'
import { checkAdvance, checkMade, checkOptions, wholePowers } from './check.ts'
import { createDisagreementWatch, type DisagreementWatch } from './disagreement.ts'
import { CHAIN_ERRORS, ChainError } from './errors.ts'
import { genesisMembers } from './genesis.ts'
import { createChainListeners } from './listeners.ts'
import { nameOf, stateOf } from './members.ts'
import type { Advance, ChainOptions } from './options.ts'
import { createProgress, type Progress } from './progress.ts'
import { createReadWriteLock, type ReadWriteLock } from './read-write-lock.ts'
import { createReads } from './reads.ts'
import { createRefusals, type Refusals } from './refusals.ts'
import { createChainClient } from './rpc-client.ts'
import { restoreNode, type SavedNode, saveNode } from './snapshot.ts'
import { createBroadcast } from './transactions.ts'

const MS = 1_000_000n
const BLOCK_TIME_MS = 1000

/**
 * Makes the validators of a chain, and two observers of their applications: one compares the answers, the other
 * counts the refusals.
 */
function makeValidators(
  options: ChainOptions,
  { wrapSigner, makeApp, keys = [], isRemote = false, blockTimeOf }: ChainHooks,
): {
  readonly network: SimNetwork
  readonly disagreement: DisagreementWatch
  readonly refusals: Refusals
} {
  const { app, validators = 1, powers = [], blockTime = BLOCK_TIME_MS, genesis = {} } = options
  const members = genesisMembers(genesis)
  const count = (): number => network.validators.length
  const refusals = createRefusals(count, {
    nameOf: (address) => nameOf(network.validators, address),
    stateOf: (name) => stateOf(network.validators, name),
  })
  const disagreement = createDisagreementWatch(
    { validators: count, genesisAppHash: members.appHash ?? new Uint8Array(0) },
    refusals,
  )
  const network = createNetwork({
    seed: 1,
    validators,
    powers: wholePowers(powers),
    keys,
    ...(isRemote && { appIsInProcess: false }),
    app: (_, name) => {
      const watched = (made: Application): Application => {
        checkMade(made, 'the function that makes the application must return it: ')
        return disagreement.watch(made, name)
      }
      // Only `makeApp` may return a promise. The function `app` of a test must return the application itself.
      if (makeApp === undefined) return watched(typeof app === 'function' ? app() : app)
      const making = makeApp(name)
      return making instanceof Promise ? making.then(watched) : watched(making)
    },
    consensus: {
      timeoutCommit: blockTimeOf === undefined ? BigInt(blockTime) * MS : () => BigInt(blockTimeOf(count())) * MS,
      skipTimeoutCommit: false,
    },
    disk: { syncMs: [0, 0], writeMs: [0, 0] },
    wire: { latencyMs: [1, 1], bandwidth: Number.POSITIVE_INFINITY },
    // One validator may have enough power to decide blocks alone. It waits for this time, so that it makes no block
    // before the other validators are connected to it.
    firstCheckMs: Math.min(20, blockTime / 2),
    genesis: { chainId: 'test-chain', ...members },
    // The monitor of invariants is off, because it takes memory for each block, and a chain may run for a long time.
    // The chain itself reports errors.
    isWatched: false,
    watchEveryMs: 0,
    answerWithinMs: options.answerWithin ?? ANSWER_WITHIN_MS,
    logger: () => options.logger ?? noopLogger,
    wrapSigner,
  })
  return { network, disagreement, refusals }
}

/** The options that only a devnet gives to a chain. */
export interface ChainHooks {
  readonly wrapSigner?: NetworkOptions['wrapSigner']
  /** Makes the application of the validator with this name, in place of `app`. */
  readonly makeApp?: (validator: string) => Application | Promise<Application>
  /** True if the applications run in other processes, and outlive their nodes. */
  readonly isRemote?: boolean
  /** The keys of the validators. */
  readonly keys?: readonly PrivateKey[]
  /** The disks of the validators before the first start. */
  readonly saved?: readonly SavedNode[]
  /**
   * Returns the milliseconds between two blocks of a chain with this number of validators. The result is used in place
   * of the option `blockTime`, and is never greater than `blockTime`. A chain with one validator can have a shorter
   * time, because its transactions need not reach another validator.
   */
  readonly blockTimeOf?: (validators: number) => number
  /** The time at which the clocks of the validators begin, in nanoseconds since 1970. */
  readonly startTime?: bigint
  /**
   * Called each time the first validator has started: at the beginning, and after each revert or restart. An engine is
   * a running node without network and RPC.
   */
  readonly onEngine?: (engine: Engine) => void
}

/** A chain with the parts that a devnet controls. */
export interface OpenedChain {
  readonly chain: Chain
  readonly network: SimNetwork
  readonly progress: Progress
  readonly engine: () => Engine
  readonly runShared: ReadWriteLock['runShared']
  readonly runExclusive: ReadWriteLock['runExclusive']
  /** Returns what a snapshot of this chain contains. */
  readonly savedNodes: (snapshot: Snapshot) => readonly SavedNode[]
  /** Goes back to a snapshot, or restarts all validators at the present height. Nothing else runs meanwhile. */
  readonly restart: (how: RestartSteps) => Promise<void>
}

/** The options of a restart of all validators. */
export interface RestartSteps {
  /** The snapshot to go back to. Without it, the validators restart at the present height. */
  readonly snapshot?: Snapshot
  /** Called before the validators stop. If this function fails, no validator is stopped, and `restart` fails. */
  readonly before?: () => Promise<void>
  /**
   * Called when all validators have stopped. If this function fails, the validators start again at the present height,
   * and `restart` fails.
   */
  readonly between?: () => Promise<void>
}

/** Creates a chain; resolves when it is ready for its first block. */
export async function createChain(options: ChainOptions): Promise<Chain> {
  checkOptions(options)
  return (await openChain(options)).chain
}

/** Opens a chain with valid options. The function is long because it contains the list of the parts of a chain. */
export async function openChain(options: ChainOptions, hooks: ChainHooks = {}): Promise<OpenedChain> {
  const { app, validators = 1, automine = true, blockTime = BLOCK_TIME_MS } = options
  if (typeof app !== 'function' && validators > 1) throw needsFactory('more than one validator')
  const { network, disagreement, refusals } = makeValidators(options, hooks)
  const { scheduler, nodes } = network
  const [node] = nodes as [(typeof nodes)[0]]
  const setClocks = (time: bigint): void => {
    for (const { options: own, clockFault } of nodes) clockFault.skewMs = Number((time - own.start) / MS)
  }
  const saved = new WeakMap<Snapshot, { readonly nodes: readonly SavedNode[] }>()
  const { runShared, runExclusive } = createReadWriteLock()

  function engine(): Engine {
    const found = node.engine()
    if (!life.isActive() || found === undefined) throw hasStopped()
    return found
  }

  const height = (): number =>
    engine().events.lastBlock()?.block.header.height ?? engine().stateStore.load()?.lastBlockHeight ?? 0
  const progress = createProgress(blockTime, { scheduler, nodes, disagreement, refusals, height })
  const { until, runDueWork, drive } = progress
  const reads = createReads({ engine, height, runShared, drive })
  const time = (): bigint => reads.block()?.header.time ?? network.genesis.genesisTime
  const listeners = createChainListeners(engine)

  async function advance(by: Advance): Promise<void> {
    const { blocks, time: ms = 0 } = by
    const wanted = height() + (blocks ?? (ms > 0 ? 0 : 1))
    const notBefore = time() + BigInt(Math.ceil(ms)) * MS
    for (const { clockFault } of nodes) clockFault.skewMs += ms
    const isThere = (): boolean => height() >= wanted && (ms === 0 || time() >= notBefore)
    await until(isThere, 'block', 1 + wanted - height())
    await runDueWork()
  }

  async function begin(): Promise<void> {
    network.start()
    await until(() => nodes.every(({ status }) => status() === 'running'), 'start')
    listeners.attach()
    hooks.onEngine?.(engine())
    if (nodes.length > 1)
      await until(() => nodes.every((each) => each.engine()?.isWaitingForBlocks() === false), 'start')
    await runDueWork()
  }

  function savedNodes(snapshot: Snapshot): readonly SavedNode[] {
    const moment = saved.get(snapshot)
    if (moment === undefined) throw badOption('the snapshot was taken on another chain')
    return moment.nodes
  }

  async function place(moment: readonly SavedNode[]): Promise<void> {
    for (const [i, each] of nodes.entries()) await restoreNode(each, moment[i] as SavedNode)
  }

  /**
   * Starts the validators again at the present height after a restart that failed with `error`. The validators' disks
   * are unchanged.
   */
  async function beginAgain(error: unknown): Promise<void> {
    try {
      if (!life.isActive()) throw hasStopped()
      await begin()
    } catch (cause) {
      const message = `${messageOf(error)}. The present chain cannot continue either, and is stopped: ${messageOf(cause)}`
      throw new ChainError(CHAIN_ERRORS.stopped, message, { cause: error })
    }
  }

  async function restart({ snapshot, before, between }: RestartSteps): Promise<void> {
    const moment = snapshot && savedNodes(snapshot)
    if (!life.isActive()) throw hasStopped()
    await before?.()
    disconnect()
    for (const each of nodes) each.crash('kill')
    disagreement.clear()
    try {
      await between?.()
    } catch (error) {
      await beginAgain(error)
      throw error
    }
    if (moment !== undefined) {
      // The network gets the validators that it had at the moment of the snapshot: validators that joined later are
      // removed, and validators that left later are added again.
      network.setValidators(moment.length)
      await place(moment)
    }
    // The chain may have been stopped in the meantime. Then no validator may start again.
    if (!life.isActive()) throw hasStopped()
    await begin()
  }

  const life = createLifecycle({
    name: 'the chain',
    start: begin,
    close: () => {
      disconnect()
      for (const each of nodes) each.crash('kill')
    },
  })

  const { client, arrived, disconnect } = createChainClient(
    { automine, answerWithinMs: options.answerWithin ?? ANSWER_WITHIN_MS },
    { node, engine, runDueWork, until, runShared, logger: options.logger ?? noopLogger },
  )

  if (hooks.saved !== undefined) await place(hooks.saved)
  if (hooks.startTime !== undefined) setClocks(hooks.startTime)
  await life.start()
  const chain: Chain = {
    height,
    time,
    advance: async (by = {}) => {
      checkAdvance(by)
      await runShared(async () => {
        // An earlier call may still add a transaction for the block, so the block waits for that call.
        await arrived()
        await advance(by)
      })
    },
    broadcast: createBroadcast(automine, { ...progress, engine, height, runShared }),
    ...reads,
    subscribe: listeners.subscribe,
    client,
    validators: () => engine().consensus.roundState().chain.validators.validators,
    snapshot: () =>
      runExclusive(async () => {
        await runDueWork()
        const snapshot = { height: height() } as Snapshot
        saved.set(snapshot, { nodes: await Promise.all(nodes.map(saveNode)) })
        return snapshot
      }),
    revert: async (snapshot) => {
      if (typeof app !== 'function') throw needsFactory('revert')
      await runExclusive(() => restart({ snapshot }))
    },
    stop: life.stop,
    [Symbol.asyncDispose]: life.stop,
  }
  const exclusiveRestart: OpenedChain['restart'] = (how) => runExclusive(() => restart(how))
  return { chain, network, progress, engine, runShared, runExclusive, savedNodes, restart: exclusiveRestart }
}

function hasStopped(): ChainError {
  return new ChainError(CHAIN_ERRORS.stopped, 'the chain is stopped: create another chain')
}

function needsFactory(what: string): ChainError {
  return new ChainError(
    CHAIN_ERRORS.needsFactory,
    `${what} needs a function that makes the application: createChain({ app: () => … })`,
  )
}
