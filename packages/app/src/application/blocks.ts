import type { FinalizeBlockAnswer, TxResultAnswer, ValidatorUpdateAnswer } from '@org/abci'
import type { RequestFinalizeBlock, RequestInitChain } from '@org/types/abci'
import { bytesToHex, bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { APP_ERRORS, AppError, Refusal, TX_CODES } from '../errors.ts'
import { fromJsonText } from '../transaction/index.ts'
import { type Child, type Edit, find, hashOf, insert, type Versions } from '../tree/index.ts'
import { type BlockInfo, toMilliseconds } from './context.ts'
import type { Executor, Working } from './executor.ts'
import type { AppOptions } from './options.ts'

/**
 * The key of the chain id in the state. A node that begins with a snapshot reads the chain id from the state, because
 * it has not executed the genesis.
 */
const CHAIN_ID_KEY = utf8ToBytes('$chain')

/** A version of the state, whose number is the height of its block. */
export interface Latest {
  readonly version: number
  readonly tree: Child | undefined
}

/** Executes the genesis and the blocks of a chain, and keeps the state that results. */
export interface Blocks {
  readonly initChain: (request: RequestInitChain) => { readonly validators: readonly ValidatorUpdateAnswer[] }
  readonly checkTx: (tx: Uint8Array) => TxResultAnswer
  readonly finalizeBlock: (request: RequestFinalizeBlock) => FinalizeBlockAnswer
  readonly commit: () => Promise<void>
  /** Returns the committed state; before the first block, the state after the genesis. */
  readonly latest: () => Latest
}

/** Returns the app hash of a tree. */
export const hashOfTree = (tree: Child | undefined): Uint8Array =>
  tree === undefined ? new Uint8Array(0) : hashOf(tree)

function genesisValue({ appStateBytes }: RequestInitChain): unknown {
  if (appStateBytes.length === 0) return undefined
  try {
    return fromJsonText(bytesToUtf8(appStateBytes))
  } catch (error) {
    throw new AppError(APP_ERRORS.genesis, 'app_state of the genesis document is not JSON', { cause: error })
  }
}

/** Executes the genesis document's `app_state`. Throws an {@link AppError} (`APP_BAD_GENESIS`). */
function performGenesis(
  { genesis }: AppOptions,
  executor: Executor,
  start: { working: Working; value: unknown },
): void {
  if (genesis === undefined) return
  try {
    executor.hook(start.working, genesis.prepare(start.value))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const message = `app_state of the genesis document: ${error.message}. Correct app_state and start again`
    throw new AppError(APP_ERRORS.genesis, message, { cause: error })
  }
}

/** The states that are not committed yet: the state after the genesis or a block, and the state of the mempool. */
interface Progress {
  /** The state after InitChain. It is kept until the first block is committed. */
  genesis: Working | undefined
  /** The state after FinalizeBlock. Commit stores it. */
  block: Working | undefined
  /** The committed state with the transactions of the mempool. */
  check: Working | undefined
  /** The time of the last block, in milliseconds. */
  time: number
}

function createWorking(versions: Versions, block: BlockInfo): Working {
  const edit: Edit = { load: versions.load, version: block.height, orphans: [] }
  return { tree: versions.last().tree, edit, block, validators: [] }
}

/** Returns only the last update of each validator. */
function lastUpdates(updates: readonly ValidatorUpdateAnswer[]): ValidatorUpdateAnswer[] {
  return [...new Map(updates.map((update) => [bytesToHex(update.pubKey.bytes), update])).values()]
}

/** The stored versions of the state, and the executor of transactions, which {@link createBlocks} uses. */
export interface BlockModules {
  readonly versions: Versions
  readonly executor: Executor
}

/**
 * Creates the part of the application that executes the genesis and the blocks, and checks transactions for the
 * mempool.
 */
export function createBlocks(options: AppOptions, { versions, executor }: BlockModules): Blocks {
  const progress: Progress = { genesis: undefined, block: undefined, check: undefined, time: versions.last().time }

  function chainIdOf(tree: Child | undefined): string {
    return bytesToUtf8(find(tree, versions.load, CHAIN_ID_KEY)?.value ?? new Uint8Array(0))
  }

  function initChain(request: RequestInitChain) {
    if (versions.last().version > 0) {
      const message = `InitChain was called at height ${versions.last().version}: remove the application's data, or restore the node's data`
      throw new AppError(APP_ERRORS.order, message)
    }
    const block = { chainId: request.chainId, height: request.initialHeight, time: toMilliseconds(request.time) }
    const working = createWorking(versions, block)
    const value = utf8ToBytes(request.chainId)
    working.tree = insert(working.edit, working.tree, { kind: 'leaf', key: CHAIN_ID_KEY, value, version: block.height })
    performGenesis(options, executor, { working, value: genesisValue(request) })
    progress.genesis = working
    progress.time = block.time
    progress.check = undefined
    return { validators: lastUpdates(working.validators) }
  }

  /**
   * Returns the state before a block: for the first block the state after the genesis, otherwise the committed state.
   */
  function beginBlock({ height, time }: RequestFinalizeBlock): Working {
    const { genesis } = progress
    const last = versions.last()
    if (last.version > 0) {
      const chainId = chainIdOf(last.tree)
      return createWorking(versions, { chainId, height, time: toMilliseconds(time) })
    }
    if (genesis === undefined) throw new AppError(APP_ERRORS.order, `InitChain must be called before block ${height}`)
    const block = { chainId: genesis.block.chainId, height, time: toMilliseconds(time) }
    return { ...createWorking(versions, block), tree: genesis.tree }
  }

  function finalizeBlock(request: RequestFinalizeBlock): FinalizeBlockAnswer {
    const working = beginBlock(request)
    const { beginBlock: before, endBlock: after } = options
    const begun = before === undefined ? [] : executor.hook(working, before)
    const txResults = request.txs.map((bytes) => executor.transaction(working, bytes))
    const ended = after === undefined ? [] : executor.hook(working, after)
    progress.block = working
    return {
      txResults,
      events: [...begun, ...ended],
      validatorUpdates: lastUpdates(working.validators),
      appHash: hashOfTree(working.tree),
    }
  }

  function latest(): Latest {
    const last = versions.last()
    return last.version === 0 && progress.genesis !== undefined ? { ...last, tree: progress.genesis.tree } : last
  }

  /** The state that CheckTx works on: the committed state plus the transactions in the mempool. */
  function checkState(): Working {
    const last = versions.last()
    const { genesis } = progress
    if (progress.check === undefined) {
      const chainId = genesis !== undefined && last.version === 0 ? genesis.block.chainId : chainIdOf(last.tree)
      const height = genesis !== undefined && last.version === 0 ? genesis.block.height : last.version + 1
      const working = createWorking(versions, { chainId, height, time: progress.time })
      progress.check = last.version === 0 ? { ...working, tree: genesis?.tree } : working
    }
    return progress.check
  }

  return {
    initChain,
    finalizeBlock,
    latest,
    checkTx: (tx) => {
      const working = checkState()
      const { tree } = working
      const result = executor.transaction(working, tx)
      // The mempool does not keep a refused transaction. So the changes of the transaction are undone, and its signer
      // may use the nonce again.
      if (result.code !== TX_CODES.ok) working.tree = tree
      // The transaction has added to the lists of unused tree nodes and of changed validators. CheckTx changes neither
      // the stored tree nor the validators, so both lists are emptied.
      working.edit.orphans.length = 0
      working.validators.length = 0
      return result
    },
    commit: async () => {
      const { block } = progress
      if (block === undefined) throw new AppError(APP_ERRORS.order, 'FinalizeBlock must be called before Commit')
      const { time } = block.block
      await versions.save(block.tree, block.edit, time)
      progress.time = time
      progress.block = undefined
      progress.genesis = undefined
      progress.check = undefined
    },
  }
}
