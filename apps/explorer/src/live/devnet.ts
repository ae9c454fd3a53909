import { createDevnetClient, type DevnetClient } from '@org/rpc/client/devnet'
import { signal } from '@preact/signals'
import { callRaw, nodeTransport } from './node.ts'

/** Whether the node lets this page control its chain; `undefined` until the node has answered. */
export const isDevnet = signal<boolean | undefined>(undefined)

export const devnet: DevnetClient = createDevnetClient(nodeTransport)

const METHOD_NOT_FOUND = -32601

/** Asks for zero blocks, which a devnet refuses for another reason than a node without control. */
export async function findDevnet(): Promise<void> {
  const answer = await callRaw('advance_blocks', { num_blocks: '0' })
  const { code } = ('error' in answer ? answer.error : {}) as { readonly code?: number }
  isDevnet.value = code !== undefined && code !== METHOD_NOT_FOUND
}
