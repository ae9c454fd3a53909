import type { RpcMethods } from '@org/rpc/client'
import { withTimeLimit } from '@org/runtime'
import { equalBytes } from '@org/types/bytes'
import { computed, type Signal, signal } from '@preact/signals'
import { msOf } from '../format/times.ts'
import { clock, every } from './clock.ts'
import { client, type Exchange, recordingClient } from './node.ts'

export type Status = Awaited<ReturnType<RpcMethods['status']>>
export type BlockMeta = NonNullable<Awaited<ReturnType<RpcMethods['blockchain']>>['blockMetas'][number]>

/** The number of blocks that the page keeps. */
export const KEPT_BLOCKS = 100
/** The maximum number of blocks in one answer of `blockchain`. */
const PAGE = 20
const POLL_MS = 2000
const SLOW_POLLS = 3
/**
 * The maximum time in milliseconds that the page waits for an answer to `status`. After this time, the page shows an
 * error.
 */
const MAX_WAIT_MS = 8000
/**
 * The minimum time in milliseconds between two loads of new blocks, so that one load fetches several blocks of a fast
 * chain.
 */
const UPDATE_MS = 200

export const status: Signal<Status | undefined> = signal(undefined)
/**
 * Counts how often the node has replaced blocks that this page has. This happens when a devnet goes back to an earlier
 * block, or when another chain runs at the address of the node. The page loads its data again when this number changes.
 */
export const chainReplacements = signal(0)
/** The newest blocks, the newest first. */
export const blocks = signal<readonly BlockMeta[]>([])
export const mempool = signal<{ readonly count: number; readonly bytes: number } | undefined>(undefined)
export const peerCount = signal<number | undefined>(undefined)
/** The error of the last update; `undefined` after a successful update. */
export const failure = signal<unknown>(undefined)
/**
 * The last call of each operation, such as `status`, with its answer. The screens show the calls and answers as raw
 * JSON.
 */
export const chainCalls = signal<readonly Exchange[]>([])

const recorded: RpcMethods = recordingClient((exchange) => {
  const others = chainCalls.value.filter(({ call }) => call.method !== exchange.call.method)
  chainCalls.value = [...others, exchange]
})

export const headHeight = computed(
  () => blocks.value[0]?.header.height ?? status.value?.syncInfo.latestBlockHeight ?? 0,
)

/**
 * A copy of {@link headHeight} that changes at most once per second. Large answers that change with each block are
 * loaded when this copy changes.
 */
export const secondHeight = signal(0)

/** The times in milliseconds between each block and the block before it, from the oldest to the newest. */
export const intervals = computed(() => {
  const list = blocks.value
  return list
    .slice(0, -1)
    .map((block, i) => msOf(block.header.time) - msOf(list[i + 1]?.header.time ?? 0n))
    .reverse()
})

/** The number of transactions per second, over all blocks that the page keeps. */
export const txRate = computed(() => {
  const list = blocks.value
  const first = list.at(-1)
  const last = list[0]
  if (first === undefined || last === undefined || first === last) return 0
  const txs = list.slice(0, -1).reduce((sum, { numTxs }) => sum + numTxs, 0)
  return (1000 * txs) / Math.max(1, msOf(last.header.time) - msOf(first.header.time))
})

/** Loads the headers of the blocks from `from` to `to`, the newest first. */
async function loadMetas(from: number, to: number): Promise<readonly BlockMeta[]> {
  let list: readonly BlockMeta[] = []
  for (let high = to; high >= from; high -= PAGE) {
    const { blockMetas } = await recorded.blockchain({ minHeight: Math.max(from, high - PAGE + 1), maxHeight: high })
    list = [...list, ...blockMetas.filter((meta): meta is BlockMeta => meta !== undefined)]
  }
  return list
}

/**
 * True if the new blocks continue the kept blocks; false if, for example, the chain of a devnet was reverted or reset.
 */
function follows(added: readonly BlockMeta[], kept: readonly BlockMeta[]): boolean {
  const first = added.at(-1)
  const last = kept[0]
  if (first === undefined || last === undefined) return true
  return first.header.height === last.header.height + 1 && equalBytes(first.header.lastBlockId.hash, last.blockId.hash)
}

/** Replaces all blocks that the page keeps. */
function replaceBlocks(list: readonly BlockMeta[]): void {
  if (blocks.value.length > 0) chainReplacements.value++
  blocks.value = list
}

/** True if `list`, the blocks that the node sent, contains `block`. Also true if `block` is `undefined`. */
const hasStill = (block: BlockMeta | undefined, list: readonly BlockMeta[]): boolean =>
  block === undefined || list.some(({ blockId }) => equalBytes(blockId.hash, block.blockId.hash))

async function update(height: number): Promise<void> {
  const kept = blocks.value
  const last = kept[0]?.header.height ?? 0
  const earliest = Math.max(1, status.value?.syncInfo.earliestBlockHeight ?? 1, height - KEPT_BLOCKS + 1)
  if (last > 0 && last < height) {
    const added = await loadMetas(Math.max(earliest, last + 1), height)
    if (follows(added, kept)) {
      blocks.value = [...added, ...kept].slice(0, KEPT_BLOCKS)
      return
    }
  }
  const list = await loadMetas(earliest, height)
  if (hasStill(blocks.value[0], list)) blocks.value = list
  else replaceBlocks(list)
}

let wanted: number | undefined
let isUpdating = false

/**
 * Loads the blocks up to `height`. If the page already has a block of this height, the block is loaded again, because
 * a devnet can replace blocks.
 */
async function follow(height: number): Promise<void> {
  wanted = height
  if (isUpdating || document.hidden) return
  isUpdating = true
  try {
    while (wanted !== undefined) {
      const next: number = wanted
      wanted = undefined
      await update(next)
      await clock.sleep(UPDATE_MS)
    }
  } catch (error) {
    failure.value = error
  } finally {
    isUpdating = false
  }
}

let polls = 0
let isPolling = false

/** Whether the newest block of the page is the newest block of the node. */
function isCurrent({ syncInfo }: Status): boolean {
  const head = blocks.value[0]
  if (head === undefined) return syncInfo.latestBlockHeight === 0
  return head.header.height === syncInfo.latestBlockHeight && equalBytes(head.blockId.hash, syncInfo.latestBlockHash)
}

async function readFacts(signal: AbortSignal): Promise<void> {
  const found = await recorded.status({}, { signal })
  status.value = found
  if (found.syncInfo.latestBlockHeight === 0) replaceBlocks([])
  else if (!isCurrent(found)) void follow(found.syncInfo.latestBlockHeight)
  const { total, totalBytes } = await recorded.numUnconfirmedTxs({}, { signal })
  mempool.value = { count: total, bytes: totalBytes }
  if (polls++ % SLOW_POLLS === 0) peerCount.value = (await recorded.netInfo({}, { signal })).nPeers
}

async function poll(): Promise<void> {
  if (isPolling || (document.hidden && status.value !== undefined)) return
  isPolling = true
  const late = () => new DOMException(`no answer within ${MAX_WAIT_MS / 1000} s`, 'TimeoutError')
  try {
    await withTimeLimit({ clock, ms: MAX_WAIT_MS, late }, readFacts)
    failure.value = undefined
  } catch (error) {
    failure.value = error
  } finally {
    isPolling = false
  }
}

interface HeaderValue {
  readonly header?: { readonly height?: string }
}

/** Subscribes to the headers of new blocks, until the page is closed. */
async function followHeaders(): Promise<void> {
  for (;;) {
    try {
      for await (const { data } of client.subscribe("tm.event='NewBlockHeader'")) {
        const height = Number((data.value as HeaderValue).header?.height)
        if (Number.isSafeInteger(height)) void follow(height)
      }
    } catch {
      // Without the subscription, the page finds new blocks only at the next poll.
    }
    await clock.sleep(POLL_MS)
  }
}

/** Loads new blocks at once, without a wait for the next poll. */
export function refreshChain(): void {
  void poll()
}

/** Begins to load the state of the chain, once for the page. */
export function startChain(): void {
  void followHeaders()
  void poll()
  every(POLL_MS, () => void poll())
  every(1000, () => {
    secondHeight.value = headHeight.value
  })
  addEventListener('visibilitychange', () => void poll())
}
