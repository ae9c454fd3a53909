import type { Peer } from '@org/p2p'
import type { Logger } from '@org/runtime'
import { ExtendedCommit } from '@org/types/block'
import { Message } from '@org/types/blocksync'
import type { BlockStore } from '../store/index.ts'
import { encodeBlockResponse } from './block-message.ts'
import { BLOCKSYNC_CHANNEL } from './options.ts'

export interface ServedBlocks {
  readonly blockStore: Pick<BlockStore, 'base' | 'height' | 'loadBlockMeta' | 'loadBlockPart' | 'loadExtendedCommit'>
  /** Whether precommits of this height carry extensions. */
  readonly extensionsEnabled: (height: number) => boolean
  /** An answer of so many bytes goes out. */
  readonly onServed?: ((bytes: number) => void) | undefined
  readonly logger: Logger
}

export function statusResponse({ blockStore }: ServedBlocks): Uint8Array {
  const value = { height: blockStore.height(), base: blockStore.base() }
  return Message.encode({ sum: { case: 'statusResponse', value } })
}

/** The answer to a request: the block, or that it is not here. The block's bytes go out as they are stored. */
export function blockResponse({ blockStore, extensionsEnabled }: ServedBlocks, height: number): Uint8Array {
  const none = (): Uint8Array => Message.encode({ sum: { case: 'noBlockResponse', value: { height } } })
  const meta = blockStore.loadBlockMeta(height)
  if (meta === undefined) return none()
  const pieces: Uint8Array[] = []
  for (let index = 0; index < meta.blockId.partSetHeader.total; index++) {
    const part = blockStore.loadBlockPart(height, index)
    // Pruned, and only its meta kept for evidence.
    if (part === undefined) return none()
    pieces.push(part.bytes)
  }
  const extended = extensionsEnabled(height) ? blockStore.loadExtendedCommit(height) : undefined
  if (extended === undefined && extensionsEnabled(height)) return none()
  return encodeBlockResponse(pieces, extended && ExtendedCommit.encode(extended))
}

/** Answers one peer's requests in order. A request waits as a number until the peer has taken the blocks before it. */
export interface BlockServer {
  /** False if too many wait already. */
  readonly request: (height: number) => boolean
  /** Requests that wait. */
  readonly size: () => number
  readonly stop: () => void
}

export function createBlockServer(
  peer: Peer,
  { maxQueuedRequests }: { readonly maxQueuedRequests: number },
  blocks: ServedBlocks,
): BlockServer {
  let waiting: number[] = []
  let isSending = false

  async function serve(): Promise<void> {
    isSending = true
    try {
      for (let height = waiting.shift(); height !== undefined; height = waiting.shift()) {
        const message = blockResponse(blocks, height)
        blocks.onServed?.(message.length)
        if (!peer.trySend(BLOCKSYNC_CHANNEL, message)) await peer.send(BLOCKSYNC_CHANNEL, message)
      }
    } catch (error) {
      blocks.logger.error('a block could not be loaded for a peer', { peer: peer.id, err: (error as Error).message })
    } finally {
      // In the turn in which the last one was seen: a request that comes later begins anew.
      isSending = false
    }
  }

  return {
    request: (height) => {
      if (waiting.length >= maxQueuedRequests) return false
      waiting.push(height)
      if (!isSending) void serve()
      return true
    },
    size: () => waiting.length,
    stop: () => {
      waiting = []
    },
  }
}
