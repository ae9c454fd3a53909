import { createBlockStore, createStateStore, DB_NAMES } from '@org/engine/storage'
import type { SimNode } from '../node/index.ts'
import { createLife, createScheduler } from '../world/index.ts'

/** The heights of the block store, the state and the application of a node that is down. */
interface StoredHeights {
  readonly blocks: number
  readonly state: number
  readonly app: number
  /** True if the commit of the state's height is stored. */
  readonly hasCommit: boolean
}

/**
 * Opens the stores on a node's disk, with the data that the node will find at its next start. Returns `undefined` if
 * the node has never written its stores.
 */
export function openStores({ stores }: SimNode) {
  const [blocks, state] = [stores.get(DB_NAMES.blocks), stores.get(DB_NAMES.state)]
  if (blocks === undefined || state === undefined) return undefined
  const life = createLife({ genesis: 0n, clockFault: { skewMs: 0, drift: 0 } }, createScheduler())
  return {
    blockStore: createBlockStore({}, { db: blocks.open(life) }),
    stateStore: createStateStore({ discardAbciResponses: false }, { db: state.open(life) }),
  }
}

/**
 * Returns why a node that began with a snapshot, and has no block yet, cannot continue; `undefined` if it can. The
 * height of the application is not checked, because it may be greater than the height of the state. The node first
 * restores a snapshot into the application, and then stores the state of the snapshot's height. A crash may come
 * between these two steps.
 */
function restoredFault({ blocks, state, hasCommit }: StoredHeights): string | undefined {
  if (blocks > 0 || state === 0 || hasCommit) return undefined
  return `the state has height ${state}, and the commit of that height is not stored`
}

/** Returns the heights on a node's disk; `undefined` if the node has never written its stores. */
function storedHeights(node: SimNode): StoredHeights | undefined {
  const stores = openStores(node)
  if (stores === undefined) return undefined
  const app = node.appHome.load() as { readonly height?: number } | undefined
  const state = stores.stateStore.load()?.lastBlockHeight ?? 0
  return {
    blocks: stores.blockStore.height(),
    state,
    app: app?.height ?? 0,
    hasCommit: stores.blockStore.loadSeenCommit(state) !== undefined,
  }
}

/**
 * Returns why a disk cannot have these heights of the block store, the state and the application at the same time;
 * `undefined` if it can. The heights depend on each other, because each write waits for the writes that must come
 * before it.
 */
function heightFault(
  { blocks, state, app }: Pick<StoredHeights, 'blocks' | 'state' | 'app'>,
  { initialHeight, appKeepsAll }: { readonly initialHeight: number; readonly appKeepsAll: boolean },
): string | undefined {
  const first = (height: number): number => (height === 0 ? initialHeight - 1 : height)
  const [b, s, a] = [first(blocks), first(state), first(app)]
  if (s > b) return `the state has height ${s}, above the last block ${b}`
  if (b > s + 1) return `the last block has height ${b}, more than one above the state of height ${s}`
  if (a > b) return `the application has height ${a}, above the last block ${b}`
  if (appKeepsAll && a < s) return `the application has height ${a}, below the state of height ${s}`
  return undefined
}

/** Returns why the node, which is down, cannot continue from its disk; `undefined` if it can. */
export function storedFault(node: SimNode, initialHeight: number): string | undefined {
  const heights = storedHeights(node)
  if (heights === undefined) return undefined
  if (node.isJoiner && heights.blocks === 0) return restoredFault(heights)
  return heightFault(heights, { initialHeight, appKeepsAll: node.options.appSavesEvery === 1 })
}
