import { otherBlock, otherChain } from './errors.ts'
import type { RpcAnswer, RpcCall, RpcTransport } from './transport.ts'

/**
 * Remembers the chain of a subscription, and one block of that chain. A node that answers after a lost connection must
 * have the same chain id and the same block. If only the block differs, the chain was reset under the same chain id.
 */
export interface ChainMark {
  /** The chain id; `undefined` until a node has named it. */
  readonly chainId: () => string | undefined
  /**
   * Compares the chain of a node with the remembered chain: its chain id, and its block at the height of the remembered
   * block. If nothing is remembered yet, the values of this node are remembered. `after` is the height after which the
   * subscription continues; `undefined` if it continues with new events only. Throws {@link otherChain} or
   * {@link otherBlock}.
   */
  readonly check: (node: RpcTransport, after: number | undefined, signal: AbortSignal | undefined) => Promise<void>
  /**
   * Called after events of `height` have arrived. If the remembered block is far below this height, replaces it by a
   * newer block, because a node may have deleted an old block.
   */
  readonly follow: (node: RpcTransport, height: number, signal: AbortSignal | undefined) => Promise<void>
}

/**
 * The maximum distance, in heights, from the remembered block (see {@link ChainMark}) to the newest received events.
 * When this distance is reached, the client requests a newer block from the node, to replace the remembered block. The
 * distance is 1 at first, and doubles with each request up to this maximum.
 */
const MAX_DISTANCE = 128

interface Block {
  readonly height: number
  readonly hash: string
}

interface Status {
  readonly node_info?: { readonly network?: unknown }
  readonly sync_info?: { readonly latest_block_height?: unknown; readonly latest_block_hash?: unknown }
}

interface Blocks {
  readonly block_metas?: readonly { readonly block_id?: { readonly hash?: unknown } }[]
}

const resultOf = <T>(answer: RpcAnswer | undefined): T | undefined =>
  answer !== undefined && 'result' in answer ? ((answer.result ?? undefined) as T | undefined) : undefined

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function blockCall(height: number): RpcCall {
  return { method: 'blockchain', params: { minHeight: String(height), maxHeight: String(height) } }
}

/** The block at `height` in the answer to {@link blockCall}; `undefined` if the node does not have it. */
function blockOf(answer: RpcAnswer | undefined, height: number): Block | undefined {
  const hash = textOf(resultOf<Blocks>(answer)?.block_metas?.[0]?.block_id?.hash)
  return hash === undefined ? undefined : { height, hash }
}

function latestOf(status: Status | undefined): Block | undefined {
  const hash = textOf(status?.sync_info?.latest_block_hash)
  const height = Number(status?.sync_info?.latest_block_height)
  return hash === undefined || !(height > 0) ? undefined : { height, hash }
}

export function createChainMark(known: string | undefined): ChainMark {
  let chainId = known
  let block: Block | undefined
  let asked = 0
  let distance = 1

  return {
    chainId: () => chainId,
    check: async (node, after, signal) => {
      const wanted = block?.height ?? after
      const calls = [
        { method: 'status', params: {} },
        ...(wanted === undefined || wanted === 0 ? [] : [blockCall(wanted)]),
      ]
      const [first, second] = await node.send(calls, signal)
      const status = resultOf<Status>(first)
      const network = textOf(status?.node_info?.network)
      if (network !== undefined && chainId !== undefined && network !== chainId) throw otherChain(chainId, network)
      chainId ??= network
      const found = wanted === undefined ? latestOf(status) : blockOf(second, wanted)
      if (block !== undefined && found !== undefined && found.hash !== block.hash)
        throw otherBlock(block.height, block.hash, found.hash)
      block ??= found
    },
    follow: async (node, height, signal) => {
      if (height - 1 - Math.max(asked, block?.height ?? 0) < distance) return
      asked = height - 1
      const [answer] = await node.send([blockCall(height - 1)], signal)
      block = blockOf(answer, height - 1) ?? block
      distance = Math.min(MAX_DISTANCE, distance * 2)
    },
  }
}
