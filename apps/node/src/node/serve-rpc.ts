import type { Engine, OpenedP2p } from '@org/engine'
import { createPorts, type RpcEngine } from '@org/node-rpc'
import { createRpcServer, type ServedMemory } from '@org/rpc/server'
import type { Cleanups, Clock } from '@org/runtime'
import type { OpenedHome } from '../home/open-home.ts'
import { clientShares, type MemoryLimits } from '../memory/shares.ts'
import { siteOf } from './explorer.ts'
import { listeningErrors } from './listening-errors.ts'
import { listeningUrls, rpcOptions } from './rpc-options.ts'

export interface ServedRpc {
  /** The URLs of the RPC, such as `http://127.0.0.1:26657`. */
  readonly urls: readonly string[]
  /** Measures the memory that the node uses for its clients; `undefined` if the node has no RPC. */
  readonly clients: ServedMemory | undefined
}

export interface ServeRpcModules {
  readonly engine: RpcEngine & Pick<Engine, 'metrics'>
  readonly p2p: OpenedP2p
  readonly clock: Clock
  /** Receives the function that stops the server. */
  readonly services: Cleanups
}

/** Starts the RPC server, if the configuration has an address for it. */
export async function serveRpc(
  { config, logger }: OpenedHome,
  limits: MemoryLimits,
  { engine, p2p, clock, services }: ServeRpcModules,
): Promise<ServedRpc> {
  if (config.rpc.laddr === '') return { urls: [], clients: undefined }
  const ports = createPorts(engine, { config, p2p, clock })
  const rpc = createRpcServer({
    ports,
    options: { ...rpcOptions(config), ...clientShares(limits, config) },
    ...siteOf(config),
    clock,
    logger: logger.child('rpc-server'),
    metrics: engine.metrics,
  })
  const listener = await listeningErrors(rpc.listen, { grpcLaddr: config.rpc.grpcLaddr })
  services.add(() => listener.stop())
  return { urls: listeningUrls(listener, config), clients: rpc.memory }
}
