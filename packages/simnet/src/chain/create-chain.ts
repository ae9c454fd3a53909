import { type Engine, MEMPOOL_ERRORS, MempoolError } from '@org/engine'
import type { EventItem, Subscription } from '@org/engine/events'
import { parseQuery, type Query } from '@org/engine/query'
import type { Hits } from '@org/engine/storage'
import type { RpcClient } from '@org/rpc/client'
import { noopLogger } from '@org/runtime'
import {
  type ExecTxResult,
  RequestQuery,
  ResponseFinalizeBlock,
  type ResponseQuery,
  type TxResult,
} from '@org/types/abci'
import { type Block, hashTx } from '@org/types/block'
import { bytesToHex, equalBytes, utf8ToBytes } from '@org/types/bytes'
import { addressOf, formatPublicKey, publicKeyOf } from '@org/types/crypto'
import type { Validator } from '@org/types/validators'
import { createNetwork } from '../network/index.ts'
import type { SimNode } from '../node/index.ts'
import { ANSWER_WITHIN_MS, WorldError, watch } from '../world/index.ts'
import { badOption, checkHash, checkHeight, checkText, checkTextOrBytes, wrongValue } from './arguments.ts'
import { checkAdvance, checkMade, checkOptions, wholePowers } from './check.ts'

import { createDisagreementWatch } from './disagreement.ts'
import { CHAIN_ERRORS, ChainError } from './errors.ts'
import { createExclusion } from './exclusion.ts'
import { genesisMembers } from './genesis.ts'
import type { Advance, ChainOptions } from './options.ts'
import { type ConsensusState, createRefusals } from './refusals.ts'
import { createChainClient } from './rpc-client.ts'
import { restoreNode, type SavedNode, saveNode } from './snapshot.ts'

/** The outcome of a transaction. */
export interface TxOutcome extends ExecTxResult {
  readonly hash: Uint8Array
  /** 0 if the transaction is in no block: CheckTx refused it, or it waits for a block. */
  readonly height: number
  /** Its index in the block. */
  readonly index: number
}

declare const snapshotBrand: unique symbol
/** A saved moment of a chain. */
export interface Snapshot {
  readonly height: number
  readonly [snapshotBrand]: true
}

/**
 * A chain for tests of an application: real nodes without ports and disks, on a clock that stands still between two
 * calls. Every call rejects with a {@link ChainError} if the chain cannot continue.
 */
export interface Chain {
  /** The height of the last block; 0 before the first. */
  readonly height: () => number
  /** The time of the last block in nanoseconds since 1970; before the first block, the genesis time. */
  readonly time: () => bigint
  /** Makes blocks; one by default. */
  readonly advance: (by?: Advance) => Promise<void>
  /**
   * Gives a transaction to the mempool. With `automine` it is in a block when this resolves, unless CheckTx refused
   * it.
   */
  readonly broadcast: (tx: string | Uint8Array) => Promise<TxOutcome>
  readonly query: (path: string, data?: string | Uint8Array, height?: number) => Promise<ResponseQuery>
  /** The block at `height`, or the last one; `undefined` if there is none. */
  readonly block: (height?: number) => Block | undefined
  /** The response to FinalizeBlock. Throws a `StoreError` if there is none. */
  readonly results: (height?: number) => ResponseFinalizeBlock
  readonly tx: (hash: Uint8Array) => Promise<TxResult | undefined>
  /** Committed transactions that match a query such as `app.key='name'`, oldest first, as `tx_search` finds them. */
  readonly search: (query: string) => Promise<readonly TxResult[]>
  /** The heights of blocks that match a query, lowest first, as `block_search` finds them. */
  readonly searchBlocks: (query: string) => Promise<readonly number[]>
  /**
   * Calls `listener` with each event that matches a query such as `tm.event='Tx'`, as a subscription receives them;
   * also after `revert`. Returns a function that ends the subscription. Throws a `QueryError` for an invalid query.
   */
  readonly subscribe: (query: string, listener: (event: EventItem) => void) => () => void
  /**
   * The typed client of the first validator's RPC, without a port: every operation, batches and subscriptions. A call that
   * does not need a block takes no virtual time. With `automine` a broadcast transaction is in a block when the call resolves;
   * otherwise `broadcastTxCommit` waits for `advance`. `revert` and `stop` end its subscriptions.
   */
  readonly client: RpcClient
  /** The validators that sign the next block. */
  readonly validators: () => readonly Validator[]
  /** Takes a snapshot when the running calls are over. Transactions that wait for a block are not in it. */
  readonly snapshot: () => Promise<Snapshot>
  /**
   * Goes back to a snapshot when the running calls are over. A snapshot can be used several times. The application is
   * made again and gets all blocks up to the snapshot.
   */
  readonly revert: (snapshot: Snapshot) => Promise<void>
  readonly stop: () => Promise<void>
}

const MS = 1_000_000n
/** The virtual time in which a block must come, added to twice the time between blocks: a hundred rounds. */
const PATIENCE_MS = 600_000
/** The virtual time in which validators that refuse the same extensions do so. */
const VOTES_MS = 100
/** The most keys that an error lists. */
const MAX_KEYS = 3

interface Listening {
  readonly query: Query
  readonly subscriber: string
  readonly listener: (event: EventItem) => void
  subscription?: Subscription
}

async function found<T>(search: Promise<Hits<T>>): Promise<readonly T[]> {
  const { total, page } = await search
  return page(0, total)
}

const bytesOf = (text: string | Uint8Array): Uint8Array => (typeof text === 'string' ? utf8ToBytes(text) : text)

/** Creates a chain; resolves when it is ready for its first block. */
export async function createChain(options: ChainOptions): Promise<Chain> {
  checkOptions(options)
  const { app, validators = 1, powers = [], automine = true, blockTime = 1000, genesis = {} } = options
  if (typeof app !== 'function' && validators > 1) throw needsFactory('more than one validator')
  const makeApp = typeof app === 'function' ? app : () => app
  const members = genesisMembers(genesis)
  const refusals = createRefusals(validators, {
    nameOf: (address) => nameOf(network.validators, address),
    stateOf: (name) => stateOf(network.validators, name),
  })
  const disagreement = createDisagreementWatch(
    { validators, genesisAppHash: members.appHash ?? new Uint8Array(0) },
    refusals,
  )
  const network = createNetwork({
    seed: 1,
    validators,
    powers: wholePowers(powers),
    app: (_, name) => {
      const made = makeApp()
      checkMade(made, 'the function that makes the application must return it: ')
      return disagreement.watch(made, name)
    },
    consensus: { timeoutCommit: BigInt(blockTime) * MS, skipTimeoutCommit: false },
    disk: { syncMs: [0, 0], writeMs: [0, 0] },
    wire: { latencyMs: [1, 1], bandwidth: Number.POSITIVE_INFINITY },
    // A node that can continue alone must not be ahead before the others are connected to it.
    firstCheckMs: Math.min(20, blockTime / 2),
    genesis: { chainId: 'test-chain', ...members },
    keepTrace: 0,
    watchEveryMs: 0,
    answerWithinMs: options.answerWithin ?? ANSWER_WITHIN_MS,
    logger: () => options.logger ?? noopLogger,
  })
  const { scheduler, nodes } = network
  const [node] = nodes as [(typeof nodes)[0]]
  const saved = new WeakMap<Snapshot, { readonly nodes: readonly SavedNode[] }>()
  const { beside, alone } = createExclusion()
  const listeners = new Set<Listening>()
  let lastListener = 0
  let stopped = false

  function engine(): Engine {
    const found = node.engine()
    if (stopped || found === undefined) throw hasStopped()
    return found
  }

  function checkAgreement(): void {
    const difference = disagreement.difference()
    if (difference !== undefined) throw new ChainError(CHAIN_ERRORS.disagreement, difference)
  }

  function isRefused(): boolean {
    const refused = refusals.height()
    return refused !== undefined && refused > height()
  }

  function checkRunning(): void {
    for (const { failure, name } of nodes) {
      const cause = failure()
      if (cause === undefined) continue
      if (cause instanceof ChainError) throw cause
      throw new ChainError(CHAIN_ERRORS.halted, `${name} cannot go on: ${cause.message}`, { cause })
    }
  }

  function stuck(waitsFor: string, message: string, cause?: Error): ChainError {
    // Before its first start is over, a node has no height.
    const data = { waitsFor, height: node.engine() === undefined ? 0 : height() }
    return new ChainError(CHAIN_ERRORS.stuck, message, { data, cause })
  }

  async function run(isDone: () => boolean, { waitsFor, limit }: { waitsFor: string; limit: number }): Promise<void> {
    try {
      await scheduler.run(isDone, limit)
    } catch (error) {
      if (error instanceof WorldError) throw stuck(waitsFor, `the application does not answer: ${error.message}`, error)
      throw error
    }
  }

  async function until(isDone: () => boolean, waitsFor: string, blocks = 1): Promise<void> {
    // A validator that executed a block differently halts at the next one; the others may not have executed it yet.
    const isOver = (): boolean =>
      isDone() ||
      disagreement.isComplete() ||
      isRefused() ||
      (disagreement.difference() === undefined && nodes.some(({ status }) => status() === 'halted'))
    const patienceMs = PATIENCE_MS + 2 * blockTime * blocks
    const limit = scheduler.now() + patienceMs
    do {
      await run(isOver, { waitsFor, limit })
      // Other validators refuse extensions at nearly the same time, and the first may still see a decision.
      if (isRefused() && !refusals.hasProposals()) await run(isDone, { waitsFor, limit: scheduler.now() + VOTES_MS })
    } while (!isOver() && scheduler.now() < limit)
    checkAgreement()
    checkRunning()
    if (isDone()) return
    const refusal = refusals.describe(height() + 1)
    if (refusal !== undefined && (isRefused() || !refusals.hasProposals())) {
      const code = refusals.hasProposals() ? CHAIN_ERRORS.proposalsRefused : CHAIN_ERRORS.extensionsRefused
      throw new ChainError(code, `block ${height() + 1} cannot be decided: ${refusal}`)
    }
    const cause = refusal ?? missingPower(node.engine(), network.validators)
    const reason = cause === undefined ? '' : `: ${cause}`
    throw stuck(waitsFor, `there was no ${waitsFor} in ${patienceMs / 1000} s of virtual time${reason}`)
  }

  /** Runs everything that is due, so that nothing is in progress between two calls. */
  const rest = (): Promise<void> => run(() => false, { waitsFor: 'rest', limit: scheduler.now() })

  async function drive<T>(promise: Promise<T>, waitsFor: string): Promise<T> {
    const { isOver, ended } = watch(promise)
    await until(isOver, waitsFor)
    return ended
  }

  const height = (): number =>
    engine().events.lastBlock()?.block.header.height ?? engine().stateStore.load()?.lastBlockHeight ?? 0
  const block = (at = height()): Block | undefined => engine().blockStore.loadBlock(at)
  const time = (): bigint => block()?.header.time ?? network.genesis.genesisTime

  async function advance(by: Advance): Promise<void> {
    const { blocks, time: ms = 0 } = by
    const wanted = height() + (blocks ?? (ms > 0 ? 0 : 1))
    const notBefore = time() + BigInt(Math.ceil(ms)) * MS
    for (const { clockFault } of nodes) clockFault.skewMs += ms
    const isThere = (): boolean => height() >= wanted && (ms === 0 || time() >= notBefore)
    await until(isThere, 'block', 1 + wanted - height())
    await rest()
  }

  async function broadcast(given: string | Uint8Array): Promise<TxOutcome> {
    const tx = bytesOf(given)
    const hash = hashTx(tx)
    const check = await drive(engine().mempool.checkTx(tx), 'answer to CheckTx')
    if (check.code !== 0 || !automine) {
      const { code, data, log, info, gasWanted, gasUsed, events, codespace } = check
      return { hash, height: 0, index: 0, code, data, log, info, gasWanted, gasUsed, events, codespace }
    }
    const never = new AbortController().signal
    const { result, ...place } = await drive(engine().txWaiters.wait(hash, never), 'block with the transaction')
    await until(() => height() >= place.height, 'block')
    await rest()
    return { ...result, hash, height: place.height, index: place.index }
  }

  function attach(listening: Listening): void {
    const { query, subscriber, listener } = listening
    listening.subscription = engine().events.subscribe({ subscriber, query, onItem: listener })
  }

  async function begin(): Promise<void> {
    network.start()
    await until(() => nodes.every(({ status }) => status() === 'running'), 'start')
    for (const listening of listeners) attach(listening)
    if (validators > 1) await until(() => nodes.every((each) => each.engine()?.isWaitingForBlocks() === false), 'start')
    await rest()
  }

  async function revert(snapshot: Snapshot): Promise<void> {
    const moment = saved.get(snapshot)
    if (moment === undefined) throw badOption('a snapshot of another chain')
    if (stopped) throw hasStopped()
    disconnect()
    for (const each of nodes) each.crash('kill')
    disagreement.clear()
    for (const [i, each] of nodes.entries()) await restoreNode(each, moment.nodes[i] as SavedNode)
    await begin()
  }

  const { client, arrived, disconnect } = createChainClient(
    { automine, answerWithinMs: options.answerWithin ?? ANSWER_WITHIN_MS },
    { node, engine, rest, until, beside, logger: options.logger ?? noopLogger },
  )

  await begin()
  return {
    height,
    time,
    advance: async (by = {}) => {
      checkAdvance(by)
      await beside(async () => {
        // A call before this one may still bring a transaction for the block.
        await arrived()
        await advance(by)
      })
    },
    broadcast: async (tx) => {
      checkTextOrBytes('broadcast: tx', tx)
      const { stack } = new Error()
      return beside(() => broadcast(tx)).catch((error: unknown) => {
        throw withCaller(error, stack)
      })
    },
    block: (at) => {
      checkHeight('block: height', at)
      return block(at)
    },
    query: async (path, data = '', at = 0) => {
      checkText('query: path', path, '"/name"')
      checkTextOrBytes('query: data', data)
      checkHeight('query: height', at)
      const request = RequestQuery.create({ path, data: bytesOf(data), height: at })
      return beside(() => drive(engine().abci.query.query(request), 'answer to Query'))
    },
    results: (at = height()) => {
      checkHeight('results: height', at)
      const bytes = engine().stateStore.loadFinalizeBlockBytes(at)
      // An empty answer has no bytes, and the store treats it as missing.
      if (bytes?.length === 0) return ResponseFinalizeBlock.create()
      return engine().stateStore.loadFinalizeBlockResponse(at)
    },
    tx: async (hash) => {
      checkHash('tx: hash', hash)
      return beside(() => drive(engine().index.tx(hash), 'index'))
    },
    search: async (query) => {
      checkText('search: query', query, '"tx.height=1"')
      return beside(() => drive(found(engine().index.txs({ query, order: 'asc' })), 'index'))
    },
    searchBlocks: async (query) => {
      checkText('searchBlocks: query', query, '"block.height=1"')
      return beside(() => drive(found(engine().index.blocks({ query, order: 'asc' })), 'index'))
    },
    subscribe: (text, listener) => {
      checkText('subscribe: query', text, `"tm.event='Tx'"`)
      if (typeof listener !== 'function') throw wrongValue('subscribe: listener', 'a function', listener)
      const listening: Listening = { query: parseQuery(text), listener, subscriber: `test-${++lastListener}` }
      attach(listening)
      listeners.add(listening)
      return () => {
        if (listeners.delete(listening)) listening.subscription?.cancel()
      }
    },
    client,
    validators: () => engine().consensus.roundState().chain.validators.validators,
    snapshot: () =>
      alone(async () => {
        await rest()
        const snapshot = { height: height() } as Snapshot
        saved.set(snapshot, { nodes: await Promise.all(nodes.map(saveNode)) })
        return snapshot
      }),
    revert: async (snapshot) => {
      if (typeof app !== 'function') throw needsFactory('revert')
      await alone(() => revert(snapshot))
    },
    stop: async () => {
      if (stopped) return
      stopped = true
      disconnect()
      for (const each of nodes) each.crash('kill')
    },
  }
}

/** An error of the mempool with the line of the call: the mempool makes its errors elsewhere, some only once. */
function withCaller(error: unknown, stack: string | undefined): unknown {
  // A cause, such as an error of the application, has a better stack.
  if (!(error instanceof MempoolError) || error.cause !== undefined) return error
  const hint =
    error.code === MEMPOOL_ERRORS.txInCache
      ? ': the chain has seen these bytes already: add a number that grows, or a time, to the transaction'
      : ''
  const own = new MempoolError(error.code, `${error.message}${hint}`, { data: error.data, cause: error })
  own.stack = `${own.name}: ${own.message}${stack?.replace(/^[^\n]*/, '') ?? ''}`
  return own
}

function nameOf(nodes: readonly SimNode[], address: Uint8Array): string {
  const found = nodes.find(({ options }) => equalBytes(addressOf(publicKeyOf(options.key)), address))
  return found?.name ?? bytesToHex(address)
}

function stateOf(nodes: readonly SimNode[], name: string): ConsensusState | undefined {
  const state = nodes
    .find((node) => node.name === name)
    ?.engine()
    ?.consensus.roundState()
  return state === undefined ? undefined : { round: state.round, validators: state.chain.validators.validators }
}

/** Why no block can be decided, if validators whose keys the chain does not have are needed for it. */
function missingPower(engine: Engine | undefined, nodes: readonly SimNode[]): string | undefined {
  const { validators = [] } = engine?.consensus.roundState().chain.validators ?? {}
  const powerOf = (some: readonly Validator[]): bigint => some.reduce((sum, { votingPower }) => sum + votingPower, 0n)
  const foreign = validators.filter(({ address }) => nameOf(nodes, address) === bytesToHex(address))
  const [all, missing] = [powerOf(validators), powerOf(foreign)]
  if (foreign.length === 0 || 3n * (all - missing) > 2n * all) return undefined
  const keys = foreign.slice(0, MAX_KEYS).map(({ pubKey }) => formatPublicKey(pubKey))
  const more = foreign.length > keys.length ? ` and ${foreign.length - keys.length} more` : ''
  return `validators that are not of this chain have ${missing} of ${all} of the power, so that no block has +2/3: ${keys.join(', ')}${more}. The application named them in initChain or in validatorUpdates, or genesis.validators does; keep the validators that initChain gets`
}

function hasStopped(): ChainError {
  return new ChainError(CHAIN_ERRORS.stopped, 'the chain is stopped')
}

function needsFactory(what: string): ChainError {
  return new ChainError(
    CHAIN_ERRORS.needsFactory,
    `${what} needs a function that makes the application: createChain({ app: () => … })`,
  )
}
