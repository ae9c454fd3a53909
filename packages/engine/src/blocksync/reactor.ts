import { ACCEPT, ignore, type Peer, type Reactor, reject, type Verdict } from '@org/p2p'
import { type Clock, type Held, isCodedError, type Logger, type Metrics, messageOf } from '@org/runtime'
import { Message } from '@org/types/blocksync'
import { SCHEMA_ERRORS } from '@org/types/schema'
import type { State } from '@org/types/state'
import { extensionsEnabled } from '../consensus/machine/index.ts'
import type { BlockExecutor } from '../execution/index.ts'
import type { ExactChecks, SignatureChecker } from '../signatures/index.ts'
import type { BlockStore } from '../store/index.ts'
import { decodeMessage, isBlockResponse, signaturesFault } from './block-message.ts'
import { createCatchUp } from './catch-up.ts'
import { maxAnswerSize } from './check-block.ts'
import { createBlockSyncMetrics } from './metrics.ts'
import { BLOCKSYNC_CHANNEL, type BlockSyncOptions, MAX_SHORT_MESSAGE, SEND_QUEUE_CAPACITY } from './options.ts'
import { type BlockServer, createBlockServer, type ServedBlocks, statusResponse } from './serve-blocks.ts'

export interface BlockSyncModules {
  readonly executor: Pick<BlockExecutor, 'validateBlock' | 'applyVerifiedBlock' | 'durable'>
  readonly blockStore: BlockStore
  /** Default: the thread pool. */
  readonly signatures?: SignatureChecker | undefined
  /** The limit for exact checks of signatures in the whole node. Default: no limit. */
  readonly exactChecks?: ExactChecks | undefined
  /** The chain's state while this node does not sync. */
  readonly state: () => State
  /** Whether the chain cannot continue without this node. */
  readonly isNeeded: (state: State) => boolean
  readonly peers: {
    readonly stop: (peerId: string, reason: Error) => void
    readonly broadcast: (channel: number, message: Uint8Array) => void
    readonly peer: (id: string) => Peer | undefined
  }
  /** Called with the size in bytes of each block that was applied. */
  readonly onSynced?: (bytes: number) => void
  /** Called with the size in bytes of each answer to a peer that requested a block. */
  readonly onServed?: (bytes: number) => void
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

export interface BlockSync {
  readonly reactor: Reactor
  /**
   * Fetches blocks from peers until this node has caught up. Resolves with the new state, or with `undefined` if it
   * was stopped. Rejects if a good block cannot be applied.
   */
  readonly catchUp: (state: State) => Promise<State | undefined>
  /** The blocks of a peer that wait to be applied. */
  readonly heldFor: (peerId: string) => Held
  readonly stop: () => Promise<void>
}

const STATUS_REQUEST = Message.encode({ sum: { case: 'statusRequest', value: {} } })

/** Names the setting, because the block may be valid: then every peer sends it. */
function tooManyItems(error: Error): string {
  return `${error.message}: the heap of this process is too small for it. If the chain has such a block, start the node with a larger heap (HALLEY_HEAP_MB)`
}

/** Serves blocks to peers, and fetches blocks from peers while this node is behind. */
export function createBlockSync(options: BlockSyncOptions, modules: BlockSyncModules): BlockSync {
  const { blockStore, peers, logger } = modules
  const metrics = createBlockSyncMetrics(modules.metrics)
  const servers = new Map<string, BlockServer>()
  const served: ServedBlocks = {
    blockStore,
    extensionsEnabled: (height) => extensionsEnabled(catchUp.state() ?? modules.state(), height),
    onServed: modules.onServed,
    logger,
  }
  const catchUp = createCatchUp(options, {
    ...modules,
    metrics,
    send: (peerId, height) => {
      const message = Message.encode({ sum: { case: 'blockRequest', value: { height } } })
      void peers.peer(peerId)?.send(BLOCKSYNC_CHANNEL, message)
    },
    askStatus: () => peers.broadcast(BLOCKSYNC_CHANNEL, STATUS_REQUEST),
  })

  /** Refuses a block that was not requested before it is decoded, so that it costs only its bytes. */
  function refuseBlock(peer: Peer, bytes: Uint8Array): Verdict | undefined {
    if (!isBlockResponse(bytes)) return undefined
    const phase = catchUp.phase()
    if (phase === 'idle') return reject('unsolicited BlockResponse: blocksync not active')
    if (phase === 'syncing' && !catchUp.isAsked(peer.id)) return reject('unsolicited BlockResponse')
    return undefined
  }

  function receive(peer: Peer, bytes: Uint8Array): Verdict {
    const refusal = refuseBlock(peer, bytes)
    if (refusal !== undefined) return refusal
    const decoded = decodeMessage(bytes, options.maxItems)
    const { sum } = decoded.message
    switch (sum?.case) {
      case 'blockRequest': {
        const { height } = sum.value
        if (height < 0) return reject('negative height')
        return servers.get(peer.id)?.request(height) === true
          ? ACCEPT
          : ignore('too many requests of the peer are pending')
      }
      case 'blockResponse': {
        const fault = signaturesFault(sum.value)
        if (fault !== undefined) return reject(fault)
        return catchUp.takeBlock(peer.id, sum.value, { ...decoded, size: bytes.length })
      }
      case 'statusRequest':
        peer.trySend(BLOCKSYNC_CHANNEL, statusResponse(served))
        return ACCEPT
      case 'statusResponse': {
        const { base, height } = sum.value
        if (base < 0 || height < 0) return reject('negative height or base')
        if (base > height) return reject(`base ${base} cannot be greater than height`)
        catchUp.setRange(peer.id, { base, height })
        return ACCEPT
      }
      case 'noBlockResponse':
        if (sum.value.height < 0) return reject('negative height')
        catchUp.decline(peer.id, sum.value.height)
        return ACCEPT
      default:
        return reject('unknown message type')
    }
  }

  return {
    reactor: {
      name: 'blocksync',
      channels: [
        {
          id: BLOCKSYNC_CHANNEL,
          priority: 5,
          sendQueueCapacity: SEND_QUEUE_CAPACITY,
          receiveMessageCapacity: (peerId) =>
            catchUp.mayAnswer(peerId) ? maxAnswerSize(catchUp.state() ?? modules.state()) : MAX_SHORT_MESSAGE,
        },
      ],
      addPeer: (peer) => {
        servers.set(peer.id, createBlockServer(peer, options, served))
        void peer.send(BLOCKSYNC_CHANNEL, statusResponse(served))
      },
      sizes: () => ({
        ...catchUp.sizes(),
        peers: servers.size,
        requests: Math.max(0, ...Array.from(servers.values(), (server) => server.size())),
      }),
      removePeer: ({ id }) => {
        servers.get(id)?.stop()
        servers.delete(id)
        catchUp.removePeer(id)
      },
      receive: (peer, _channel, bytes) => {
        try {
          return receive(peer, bytes)
        } catch (error) {
          return reject(isCodedError(error, SCHEMA_ERRORS.tooManyItems) ? tooManyItems(error) : messageOf(error))
        }
      },
    },
    catchUp: catchUp.run,
    heldFor: catchUp.heldFor,
    stop: async () => {
      for (const server of servers.values()) server.stop()
      await catchUp.stop()
    },
  }
}
