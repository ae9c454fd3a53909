import { createDevnetClient, type DevnetClient } from '@org/rpc/client/devnet'
import { effect, signal } from '@preact/signals'
import { callRaw, connection, type Exchange, nodeTransport } from '../live/node.ts'

/** Whether the node lets this page control its chain; `undefined` until the node has answered. */
export const isDevnet = signal<boolean | undefined>(undefined)

/** Returns a client for the calls that control the chain. `onExchange` receives each call with its answer. */
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

/**
 * Asks the node whether it lets this page control its chain. Only a node that allows this has the method `dev_info`.
 */
async function findDevnet(): Promise<void> {
  isDevnet.value = 'result' in (await callRaw('dev_info'))
}

/**
 * Asks after each new connection whether the page may control the chain, because another node may now run at the same
 * address.
 */
export function watchDevnet(): void {
  effect(() => {
    if (connection.value === 'live') findDevnet().catch(() => undefined)
  })
}
