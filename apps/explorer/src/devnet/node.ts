import { createDevnetClient, type DevnetClient } from '@org/rpc/client/devnet'
import { effect, signal } from '@preact/signals'
import { callRaw, connection, type Exchange, nodeTransport } from '../live/node.ts'

/** Whether the node lets this page control its chain; `undefined` until the node has answered. */
export const isDevnet = signal<boolean | undefined>(undefined)

const METHOD_NOT_FOUND = -32601

/** The control of the chain. Each call is given to `onExchange` with its answer. */
export const devnetClient = (onExchange: (exchange: Exchange) => void): DevnetClient =>
  createDevnetClient({
    send: async (calls, stop) => {
      const answers = await nodeTransport.send(calls, stop)
      for (const [i, call] of calls.entries()) {
        const answer = answers[i]
        if (answer !== undefined) onExchange({ call, answer })
      }
      return answers
    },
  })

/** Requests zero blocks. A devnet and a node without control refuse this with different errors. */
async function findDevnet(): Promise<void> {
  const answer = await callRaw('advance_blocks', { num_blocks: '0' })
  const { code } = ('error' in answer ? answer.error : {}) as { readonly code?: number }
  isDevnet.value = code !== undefined && code !== METHOD_NOT_FOUND
}

/** Asks again after each new connection: another node may run at the address. */
export function watchDevnet(): void {
  effect(() => {
    if (connection.value === 'live') findDevnet().catch(() => undefined)
  })
}
