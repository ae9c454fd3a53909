import {
  createReconnectingTransport,
  createRpcClient,
  createWebSocketTransport,
  type RpcAnswer,
  type RpcCall,
  type RpcClient,
  type RpcMethods,
  type RpcTransport,
  type WebSocketLike,
} from '@org/rpc/client'
import { signal } from '@preact/signals'

/** A call as it was sent, and its answer as it was received. */
export interface Exchange {
  readonly call: RpcCall
  readonly answer: RpcAnswer
}

export type Connection = 'connecting' | 'live' | 'lost'

export const connection = signal<Connection>('connecting')

/** Returns the URL of the RPC: the address in `?rpc=`, or else the node that served this page. */
function findRpcUrl(): string {
  const given = new URLSearchParams(location.search).get('rpc')
  const address = given === null || given === '' ? '../' : /^[a-z]+:\/\//i.test(given) ? given : `http://${given}`
  try {
    const { protocol, host, pathname } = new URL(address, `${location.origin}${location.pathname}`)
    if (protocol === 'http:' || protocol === 'https:') return `${protocol}//${host}${pathname.replace(/\/$/, '')}`
  } catch {
    // If the address is invalid, the page uses the node that served it.
  }
  return location.origin
}

export const RPC_URL = findRpcUrl()

function connect(url: string): WebSocketLike {
  const socket = new WebSocket(url)
  socket.addEventListener('open', () => {
    connection.value = 'live'
  })
  socket.addEventListener('close', () => {
    connection.value = 'lost'
  })
  return socket as unknown as WebSocketLike
}

/**
 * All calls use one WebSocket, because a Go node accepts a WebSocket from pages of every origin. After a lost
 * connection, the page does not request the events that it missed (`resume: false`), because the chain of a devnet may
 * have gone back to an earlier height.
 */
const transport: RpcTransport = createReconnectingTransport(
  () => createWebSocketTransport(`${RPC_URL.replace(/^http/, 'ws')}/websocket`, { connect }),
  { resume: false, attempts: Number.POSITIVE_INFINITY, maxDelayMs: 2000 },
)

export const client: RpcClient = createRpcClient(transport)

/**
 * Returns a client that passes each call with its answer to `onExchange`. If `stop` aborts, the calls of the client
 * end.
 */
export function recordingClient(onExchange: (exchange: Exchange) => void, stop?: AbortSignal): RpcMethods {
  return createRpcClient({
    ...transport,
    send: async (calls, own) => {
      const answers = await transport.send(calls, own ?? stop)
      for (const [i, call] of calls.entries()) {
        const answer = answers[i]
        if (answer !== undefined) onExchange({ call, answer })
      }
      return answers
    },
  })
}

/** Sends a call of a method that the typed client does not have. */
export async function callRaw(method: string, params: RpcCall['params'] = {}): Promise<RpcAnswer> {
  const [answer] = await transport.send([{ method, params }])
  return answer ?? { error: { message: 'no answer' } }
}

/**
 * The connection to the node. Other modules make clients over this connection, for calls that `client` does not have.
 */
export const nodeTransport: Pick<RpcTransport, 'send'> = transport
