import {
  ACCEPT,
  defineProtocol,
  ignore,
  kindLabels,
  type Peer,
  type Protocol,
  type Reactor,
  reject,
  type Verdict,
} from '@org/p2p'
import { type Clock, type Held, isCodedError, type Logger, type Metrics } from '@org/runtime'
import { CodedError } from '@org/runtime/errors'
import type { State } from '@org/types'
import { type BlockResponse, BlockSyncMessage } from '@org/types/messages'
import { SCHEMA_ERRORS } from '@org/types/schema'
import { extensionsEnabled } from '../consensus/machine/index.ts'
import type { BlockExecutor } from '../execution/index.ts'
import type { ExactChecks, SignatureChecker } from '../signatures/index.ts'
import type { BlockStore } from '../store/index.ts'
import { type DecodedMessage, decodeMessage, isBlockResponse, signaturesFault } from './block-message.ts'
import { createCatchUp } from './catch-up.ts'
import { maxAnswerSize, type ReceivedBlockSizes } from './check-block.ts'
import { BLOCKSYNC_FAULTS } from './faults.ts'
import { createBlockSyncMetrics } from './metrics.ts'
import { BLOCKSYNC_CHANNEL, type BlockSyncOptions, MAX_SHORT_MESSAGE, SEND_QUEUE_CAPACITY } from './options.ts'
import { type BlockServer, createBlockServer, type ServedBlocks, statusResponse } from './serve-blocks.ts'
import type { SyncProgress } from './sync-run.ts'

export interface BlockSyncModules {
  readonly executor: Pick<BlockExecutor, 'validateBlock' | 'applyVerifiedBlock' | 'durable'>
  readonly blockStore: BlockStore
  /** Verifies the signatures of blocks. Default: a separate thread, while block sync runs. */
  readonly signatures?: SignatureChecker | undefined
  /**
   * The budget that all parts of the node share for exact checks of signatures. These checks are slow, and only forged
   * signatures and unusual keys need them. Default: no limit.
   */
  readonly exactChecks?: ExactChecks | undefined
  /** Returns the state of the chain while block sync is not running. */
  readonly state: () => State
  /** Returns true if the chain cannot continue without this node, for example because only this node is a validator. */
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
   * Fetches blocks from peers until this node has caught up. Resolves with the state after the last applied block, or
   * with `undefined` if block sync was stopped. Rejects if a valid block cannot be applied.
   */
  readonly catchUp: (state: State) => Promise<State | undefined>
  /** How many blocks of this peer wait to be applied, and how much memory they take. */
  readonly heldFor: (peerId: string) => Held
  /** Returns the progress of block sync; `undefined` while block sync is not running. */
  readonly progress: () => SyncProgress | undefined
  readonly stop: () => Promise<void>
}

const STATUS_REQUEST = BlockSyncMessage.encode({ sum: { case: 'statusRequest', value: {} } })

/**
 * Returns the text for a block with too many items. The text names the setting for a larger heap, because only a larger
 * heap helps: if the block is valid, every other peer sends the same block.
 */
function tooManyItems(error: Error): string {
  return `${error.message}: the heap of this process is too small for it. If the chain has such a block, start the node with a larger heap (HALLEY_HEAP_MB)`
}

interface From {
  readonly peer: Peer
  readonly server: BlockServer
}

type Sum = NonNullable<BlockSyncMessage['sum']>

/** A decoded message of block sync. A message with a block also has the sizes of the message and of the block. */
type SyncMessage =
  | Exclude<Sum, { readonly case: 'blockResponse' }>
  | {
      readonly case: 'blockResponse'
      readonly value: { readonly response: BlockResponse; readonly taken: ReceivedBlockSizes }
    }

function decode(bytes: Uint8Array, maxItems: number): SyncMessage | undefined {
  let decoded: DecodedMessage
  try {
    decoded = decodeMessage(bytes, maxItems)
  } catch (error) {
    throw isCodedError(error, SCHEMA_ERRORS.tooManyItems) ? new CodedError(error.code, tooManyItems(error)) : error
  }
  const { sum } = decoded.message
  if (sum?.case !== 'blockResponse') return sum
  return { case: 'blockResponse', value: { response: sum.value, taken: { ...decoded, size: bytes.length } } }
}

/** Serves blocks to peers, and fetches blocks from peers while this node is behind. */
export function createBlockSync(options: BlockSyncOptions, modules: BlockSyncModules): BlockSync {
  const { blockStore, peers, logger } = modules
  const metrics = createBlockSyncMetrics(modules.metrics)
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
      const message = BlockSyncMessage.encode({ sum: { case: 'blockRequest', value: { height } } })
      void peers.peer(peerId)?.send(BLOCKSYNC_CHANNEL, message)
    },
    askStatus: () => peers.broadcast(BLOCKSYNC_CHANNEL, STATUS_REQUEST),
  })

  /**
   * Refuses a block that was not requested. This check comes before the decoding, so such a block costs this node no
   * more work than the receipt of its bytes.
   */
  function refuse({ peer }: From, bytes: Uint8Array): Verdict | undefined {
    if (!isBlockResponse(bytes)) return undefined
    const phase = catchUp.phase()
    if (phase === 'idle') return reject(BLOCKSYNC_FAULTS.unsolicited, 'unsolicited BlockResponse: blocksync not active')
    if (phase === 'syncing' && !catchUp.isAsked(peer.id))
      return reject(BLOCKSYNC_FAULTS.unsolicited, 'unsolicited BlockResponse')
    return undefined
  }

  const protocol: Protocol<From> = defineProtocol<SyncMessage, From>({
    name: 'blocksync',
    labels: kindLabels('blocksync', BlockSyncMessage),
    channels: [
      {
        id: BLOCKSYNC_CHANNEL,
        priority: 5,
        capacity: SEND_QUEUE_CAPACITY,
        maxBytes: (peerId) =>
          catchUp.mayAnswer(peerId) ? maxAnswerSize(catchUp.state() ?? modules.state()) : MAX_SHORT_MESSAGE,
        carries: ['blockRequest', 'noBlockResponse', 'blockResponse', 'statusRequest', 'statusResponse'],
      },
    ],
    refuse,
    decode: (bytes) => decode(bytes, options.maxItems),
    handlers: {
      blockRequest: ({ server }, { height }) => {
        if (height < 0) return reject(BLOCKSYNC_FAULTS.invalid, 'negative height')
        return server.request(height)
          ? ACCEPT
          : ignore(BLOCKSYNC_FAULTS.tooManyRequests, 'too many requests of the peer are pending')
      },
      blockResponse: ({ peer }, { response, taken }) => {
        const fault = signaturesFault(response)
        if (fault !== undefined) return reject(BLOCKSYNC_FAULTS.invalid, fault)
        return catchUp.takeBlock(peer.id, response, taken)
      },
      statusRequest: ({ peer }) => {
        peer.trySend(BLOCKSYNC_CHANNEL, statusResponse(served))
        return ACCEPT
      },
      statusResponse: ({ peer }, { base, height }) => {
        if (base < 0 || height < 0) return reject(BLOCKSYNC_FAULTS.invalid, 'negative height or base')
        if (base > height) return reject(BLOCKSYNC_FAULTS.invalid, `base ${base} cannot be greater than height`)
        catchUp.setRange(peer.id, { base, height })
        return ACCEPT
      },
      noBlockResponse: ({ peer }, { height }) => {
        if (height < 0) return reject(BLOCKSYNC_FAULTS.invalid, 'negative height')
        catchUp.decline(peer.id, height)
        return ACCEPT
      },
    },
    join: (peer) => ({ peer, server: createBlockServer(peer, options, served) }),
    joined: ({ peer }) => void peer.send(BLOCKSYNC_CHANNEL, statusResponse(served)),
    left: ({ peer, server }) => {
      server.stop()
      catchUp.removePeer(peer.id)
    },
    sizes: () => ({
      ...catchUp.sizes(),
      requests: Math.max(0, ...Array.from(protocol.peers.values(), ({ server }) => server.size())),
    }),
  })

  return {
    reactor: protocol,
    catchUp: catchUp.run,
    heldFor: catchUp.heldFor,
    progress: catchUp.progress,
    stop: async () => {
      for (const { server } of protocol.peers.values()) server.stop()
      await catchUp.stop()
    },
  }
}
