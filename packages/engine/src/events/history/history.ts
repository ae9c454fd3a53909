import { isCodedError } from '@org/runtime/errors'
import type { ResponseFinalizeBlock } from '@org/types/abci'
import { LRUCache } from 'lru-cache'
import { blockEvents } from '../../execution/publish.ts'
import { validatorsFromUpdates } from '../../execution/validator-updates.ts'
import { type BlockStore, STORE_ERRORS, type StateStore } from '../../store/index.ts'
import { EVENT_ERRORS, EventError } from '../errors.ts'
import type { EventBus, NewBlock } from '../event-bus.ts'
import { memoryOfBlock } from './memory-of-block.ts'
import { type PastEvent, pastEvent } from './past-event.ts'

/** The heights at which the chain and this run of the node began, and the size of the cache of events. */
export interface HistoryOptions {
  /** The chain's first height. */
  readonly initialHeight: number
  /**
   * The height of the last block when the node started. The bus does not publish the events of this block and of
   * earlier blocks again.
   */
  readonly startHeight: number
  /**
   * The maximum memory, in bytes, for the events of all blocks except the last one. The function `memoryOfBlock`
   * estimates the memory of events. Events stay in memory after they were read, because other readers may request the
   * same events. Default 32 MiB.
   */
  readonly cacheBytes?: number
}

/** The bus and the stores from which the history reads events. */
export interface HistoryModules {
  readonly bus: Pick<EventBus, 'lastBlock'>
  readonly blockStore: Pick<BlockStore, 'base' | 'loadBlock' | 'loadBlockMeta'>
  readonly stateStore: Pick<StateStore, 'loadFinalizeBlockResponse'>
}

/** The events of committed blocks, read from the stores. */
export interface EventHistory {
  /** The height of the last block whose events were published. The bus will publish the events of later blocks. */
  readonly lastHeight: () => number
  /** Returns the hash of a block whose height is at most {@link lastHeight}; `undefined` if the block is not stored. */
  readonly blockHash: (height: number) => Uint8Array | undefined
  /**
   * Returns the height `after + 1`, or the chain's first height if that is higher. The block of the returned height may
   * not exist yet. Throws {@link EventError} (`EVENTS_PRUNED`) if this block was pruned.
   */
  readonly firstAfter: (after: number) => number
  /**
   * Returns the events of a block whose height is at most {@link lastHeight}, in the order in which they were
   * published. Throws {@link EventError} (`EVENTS_PRUNED`, `EVENTS_DISCARDED`).
   */
  readonly read: (height: number) => readonly PastEvent[]
}

const DEFAULT_CACHE_BYTES = 32 << 20

/** Creates the history of the events of committed blocks. */
export function createEventHistory(options: HistoryOptions, modules: HistoryModules): EventHistory {
  const { initialHeight, startHeight, cacheBytes = DEFAULT_CACHE_BYTES } = options
  const { bus, blockStore, stateStore } = modules
  const cache = new LRUCache<number, readonly PastEvent[]>({ maxSize: cacheBytes })
  /**
   * The events of the last published block. They stay in memory even if they exceed `cacheBytes`, because all
   * subscribers that do not lag behind read them.
   */
  let newest: { readonly block: NewBlock; readonly events: readonly PastEvent[] } | undefined

  const pruned = (height: number): EventError => {
    const base = blockStore.base()
    const why = `the events of height ${height} are not stored, the lowest height is ${base}`
    return new EventError(EVENT_ERRORS.pruned, `${EVENT_ERRORS.pruned}: ${why}`, { data: { height, base } })
  }

  function responseOf(height: number): ResponseFinalizeBlock {
    try {
      return stateStore.loadFinalizeBlockResponse(height)
    } catch (cause) {
      if (!isCodedError(cause, STORE_ERRORS.notPersisted) && !isCodedError(cause, STORE_ERRORS.notFound)) throw cause
      const why = `the results of height ${height} are not stored, so its events cannot be sent`
      throw new EventError(EVENT_ERRORS.discarded, `${EVENT_ERRORS.discarded}: ${why}`, { data: { height }, cause })
    }
  }

  function stored(height: number): NewBlock {
    if (height < blockStore.base()) throw pruned(height)
    const block = blockStore.loadBlock(height)
    const meta = blockStore.loadBlockMeta(height)
    if (block === undefined || meta?.blockId === undefined) throw pruned(height)
    return { type: 'NewBlock', block, blockId: meta.blockId, resultFinalizeBlock: responseOf(height) }
  }

  function eventsOf({ block, blockId, resultFinalizeBlock: response }: NewBlock): readonly PastEvent[] {
    const validatorUpdates = validatorsFromUpdates(response.validatorUpdates)
    return Array.from(blockEvents({ block, blockId, response, validatorUpdates }), pastEvent)
  }

  return {
    lastHeight: () => bus.lastBlock()?.block.header.height ?? startHeight,
    blockHash: (height) => {
      const last = bus.lastBlock()
      if (last?.block.header.height === height) return last.blockId.hash
      return height < blockStore.base() ? undefined : blockStore.loadBlockMeta(height)?.blockId.hash
    },
    firstAfter: (after) => {
      const height = Math.max(after + 1, initialHeight)
      if (height < blockStore.base()) throw pruned(height)
      return height
    },
    read: (height) => {
      const kept = cache.get(height)
      if (kept !== undefined) return kept
      if (newest !== undefined && newest.block === bus.lastBlock() && newest.block.block.header.height === height)
        return newest.events
      // The bus has the last published block and its results in memory. So the events of this block can be read even if
      // the node does not store results.
      const last = bus.lastBlock()
      const isLast = last?.block.header.height === height
      const block = isLast ? last : stored(height)
      const events = eventsOf(block)
      if (isLast) newest = { block: last, events }
      cache.set(height, events, { size: memoryOfBlock(block, blockStore.loadBlockMeta(height)?.blockSize ?? 0) })
      return events
    },
  }
}
