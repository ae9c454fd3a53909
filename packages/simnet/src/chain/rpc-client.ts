import { createServer } from 'node:http'
import { duplexPair } from 'node:stream'
import { createPorts, type RpcEngine } from '@org/node-rpc'
import { createRpc } from '@org/rpc'
import {
  createHttpTransport,
  createRpcClient,
  createWebSocketTransport,
  type RpcCall,
  type RpcClient,
  type RpcTransport,
} from '@org/rpc/client'
import { createSystemClock, type Logger, nextTurn } from '@org/runtime'
import { WebSocket } from 'ws'
import type { SimNode } from '../node/index.ts'
import { type WatchedPromise, watch } from '../world/index.ts'
import { CHAIN_ERRORS, ChainError } from './errors.ts'

const URL_OF_CHAIN = 'http://chain.invalid/'

export interface ChainClientOptions {
  readonly automine: boolean
  /** Real milliseconds in which the RPC must answer. */
  readonly answerWithinMs: number
}

export interface ChainClientModules {
  readonly node: SimNode
  /** The running engine of `node`. Throws if the engine has stopped. */
  readonly engine: () => RpcEngine
  /** Runs all events that are due now. Virtual time does not advance. */
  readonly runDueWork: () => Promise<void>
  /** Lets virtual time advance until `isDone` returns true. */
  readonly until: (isDone: () => boolean, waitsFor: string) => Promise<void>
  readonly runShared: <T>(work: () => Promise<T>) => Promise<T>
  readonly logger: Logger
}

/** The client of a chain, with the functions to wait for its calls and to close its subscriptions. */
export interface ChainClient {
  readonly client: RpcClient
  /** Waits for the calls that have begun. Resolves when each of these calls has its answer, or waits for a block. */
  readonly arrived: () => Promise<void>
  /** Closes all subscriptions. To be called when the node stops. */
  readonly disconnect: () => void
}

/**
 * Returns the transport of a client that calls the node's RPC in this process, without a port. It works until the node
 * stops.
 */
function connect({ node, logger }: ChainClientModules, engine: RpcEngine): RpcTransport {
  const [p2p, life] = [node.p2p(), node.life()]
  if (p2p === undefined || life === undefined)
    throw new ChainError(CHAIN_ERRORS.stopped, 'the chain is stopped: create another chain')
  const config = { p2p: { externalAddress: '' } }
  // The port `precedence` lets calls wait while the node makes a block. But virtual time stands still during a call, so
  // the node would never finish the block. So this port is left out.
  const { precedence: _, ...ports } = createPorts(engine, { config, p2p, clock: life.clock })
  const rpc = createRpc({ ports, clock: life.clock, logger })
  const http = createHttpTransport(URL_OF_CHAIN, {
    fetch: async (url, init) => rpc.app.fetch(new Request(url, init)),
  })
  const server = createServer().on('upgrade', rpc.upgrade)
  const webSocket = createWebSocketTransport(`${URL_OF_CHAIN.replace('http', 'ws')}websocket`, {
    capacity: Number.POSITIVE_INFINITY,
    connect: (url) => {
      const [ours, theirs] = duplexPair()
      server.emit('connection', theirs)
      return new WebSocket(url, { createConnection: () => ours as never }) as never
    },
  })
  return {
    send: http.send,
    subscribe: (query, options) => (webSocket.subscribe as NonNullable<RpcTransport['subscribe']>)(query, options),
    close: webSocket.close,
  }
}

const waitsForBlock = ({ method }: RpcCall): boolean => method === 'broadcast_tx_commit'

/**
 * Makes the typed client of a chain. Its calls run in the process; a call lets virtual time advance only if it needs a
 * block.
 */
export function createChainClient(options: ChainClientOptions, modules: ChainClientModules): ChainClient {
  const { engine, runDueWork, until, runShared } = modules
  const arriving = new Set<Promise<unknown>>()
  const realClock = createSystemClock()
  let current: { readonly engine: RpcEngine; readonly transport: RpcTransport } | undefined

  function disconnect(): void {
    current?.transport.close()
    current = undefined
  }

  function transport(): RpcTransport {
    const running = engine()
    if (current?.engine === running) return current.transport
    disconnect()
    current = { engine: running, transport: connect(modules, running) }
    return current.transport
  }

  /**
   * Resolves when all `calls` are answered and, with automine, their transactions are in a block. Without automine,
   * also resolves while a call waits for a block that the test has not made yet.
   */
  async function answer(calls: readonly RpcCall[], { isOver }: WatchedPromise<unknown>, before: number): Promise<void> {
    const since = realClock.monotonic()
    const hasNew = (): boolean => engine().mempool.size() > before
    const mine = (): Promise<void> => until(() => !hasNew(), 'block with the transaction')
    for (;;) {
      await runDueWork()
      if (hasNew() && options.automine) await mine()
      else if (hasNew() && calls.some(waitsForBlock)) return
      if (isOver()) break
      await nextTurn()
      if (realClock.monotonic() - since < options.answerWithinMs) continue
      const names = calls.map(({ method }) => method).join(', ')
      throw new ChainError(CHAIN_ERRORS.stuck, `the RPC does not answer ${names}`, { data: { waitsFor: names } })
    }
    // The RPC answers `broadcast_tx_async` before CheckTx has ended. So the transaction may reach the mempool only
    // after the answer.
    await runDueWork()
    if (hasNew() && options.automine) await mine()
    await runDueWork()
  }

  const send: RpcTransport['send'] = async (calls, signal) => {
    const arrival = runShared(async () => {
      const before = engine().mempool.size()
      const asked = watch(transport().send(calls, signal))
      await answer(calls, asked, before)
      return asked
    })
    arriving.add(arrival)
    try {
      return (await arrival).ended
    } finally {
      arriving.delete(arrival)
    }
  }

  const client = createRpcClient({
    send,
    subscribe: (query, subscribing) =>
      (transport().subscribe as NonNullable<RpcTransport['subscribe']>)(query, subscribing),
    close: disconnect,
  })
  return {
    client,
    arrived: async () => void (await Promise.allSettled(arriving)),
    disconnect,
  }
}
