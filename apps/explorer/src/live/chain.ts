import type { RpcMethods } from '@org/rpc/client'
import { equalBytes } from '@org/types/bytes'
import { computed, type Signal, signal } from '@preact/signals'
import { msOf } from '../format/times.ts'
import { clock, every } from './clock.ts'
import { client, connection } from './node.ts'

export type Status = Awaited<ReturnType<RpcMethods['status']>>
export type BlockMeta = NonNullable<Awaited<ReturnType<RpcMethods['blockchain']>>['blockMetas'][number]>

/** Blocks that the page keeps. */
export const KEPT_BLOCKS = 100
/** The most blocks in one answer of `blockchain`. */
const PAGE = 20
const POLL_MS = 2000
const SLOW_POLLS = 3

export const status: Signal<Status | undefined> = signal(undefined)
/** The newest blocks, the newest first. */
export const blocks = signal<readonly BlockMeta[]>([])
export const mempool = signal<{ readonly count: number; readonly bytes: number } | undefined>(undefined)
export const peerCount = signal<number | undefined>(undefined)
/** The reason for which the page has no data. */
export const failure = signal<unknown>(undefined)

export const headHeight = computed(
  () => blocks.value[0]?.header.height ?? status.value?.syncInfo.latestBlockHeight ?? 0,
)

/** Milliseconds between each block and the one before it, the oldest first. */
export const intervals = computed(() => {
  const list = blocks.value
  return list
    .slice(0, -1)
    .map((block, i) => msOf(block.header.time) - msOf(list[i + 1]?.header.time ?? 0n))
    .reverse()
})

/** Transactions per second over the kept blocks. */
export const txRate = computed(() => {
  const list = blocks.value
  const first = list.at(-1)
  const last = list[0]
  if (first === undefined || last === undefined || first === last) return 0
  const txs = list.slice(0, -1).reduce((sum, { numTxs }) => sum + numTxs, 0)
  return (1000 * txs) / Math.max(1, msOf(last.header.time) - msOf(first.header.time))
})

/** The metas of the blocks from `from` to `to`, the newest first. */
export async function loadMetas(from: number, to: number): Promise<readonly BlockMeta[]> {
  let list: readonly BlockMeta[] = []
  for (let high = to; high >= from; high -= PAGE) {
    const { blockMetas } = await client.blockchain({ minHeight: Math.max(from, high - PAGE + 1), maxHeight: high })
    list = [...list, ...blockMetas.filter((meta): meta is BlockMeta => meta !== undefined)]
  }
  return list
}

/** Whether the first of the new blocks follows the last kept one. It does not after a revert or a reset of a devnet. */
function follows(added: readonly BlockMeta[], kept: readonly BlockMeta[]): boolean {
  const first = added.at(-1)
  const last = kept[0]
  if (first === undefined || last === undefined) return true
  return first.header.height === last.header.height + 1 && equalBytes(first.header.lastBlockId.hash, last.blockId.hash)
}

async function update(height: number): Promise<void> {
  const kept = blocks.value
  const last = kept[0]?.header.height ?? 0
  const earliest = Math.max(1, status.value?.syncInfo.earliestBlockHeight ?? 1)
  const from = Math.max(earliest, last < height ? last + 1 : 1, height - KEPT_BLOCKS + 1)
  const added = await loadMetas(from, height)
  if (last < height && follows(added, kept)) {
    blocks.value = [...added, ...kept].slice(0, KEPT_BLOCKS)
    return
  }
  blocks.value = await loadMetas(Math.max(earliest, height - KEPT_BLOCKS + 1), height)
}

let wanted = 0
let isUpdating = false

/** Loads the blocks up to `height`. Heights that come meanwhile are loaded together. */
async function follow(height: number): Promise<void> {
  wanted = height
  if (isUpdating) return
  isUpdating = true
  try {
    for (let done = 0; done !== wanted; ) {
      done = wanted
      if (blocks.value[0]?.header.height !== done) await update(done)
    }
    failure.value = undefined
  } catch (error) {
    failure.value = error
  } finally {
    isUpdating = false
  }
}

let polls = 0

async function poll(): Promise<void> {
  if (document.hidden && status.value !== undefined) return
  try {
    const found = await client.status()
    status.value = found
    const { latestBlockHeight } = found.syncInfo
    if (latestBlockHeight !== headHeight.value || blocks.value.length === 0) void follow(latestBlockHeight)
    const { total, totalBytes } = await client.numUnconfirmedTxs()
    mempool.value = { count: total, bytes: totalBytes }
    if (polls++ % SLOW_POLLS === 0) peerCount.value = (await client.netInfo()).nPeers
  } catch (error) {
    // The node may be without this operation; the others were called before.
    if (status.value === undefined) failure.value = error
  }
}

interface HeaderValue {
  readonly header?: { readonly height?: string }
}

/** Follows the headers of new blocks, until the page is closed. */
async function followHeaders(): Promise<void> {
  for (;;) {
    try {
      for await (const { data } of client.subscribe("tm.event='NewBlockHeader'")) {
        const height = Number((data.value as HeaderValue).header?.height)
        if (Number.isSafeInteger(height)) void follow(height)
      }
    } catch (error) {
      // The polls still load new blocks, at a slower pace.
      failure.value = connection.value === 'live' ? error : undefined
    }
    await clock.sleep(POLL_MS)
  }
}

/** Begins to load the state of the chain, once for the page. */
export function startChain(): void {
  void followHeaders()
  void poll()
  every(POLL_MS, () => void poll())
  addEventListener('visibilitychange', () => void poll())
}
