import { createRpc, type Ports, type Rpc, type RpcListener, type RpcOptions } from '../src/index.ts'
import type { Site } from '../src/server.ts'
import { createDumpPorts } from './dump-ports.ts'

export interface RunningRpc extends AsyncDisposable {
  readonly rpc: Rpc
  readonly listener: RpcListener
  readonly port: number
}

/** Starts an RPC on a free TCP port. `ports` replaces ports through which the RPC reads the recorded databases. */
export async function startRpc(
  options: Partial<RpcOptions> = {},
  ports: Partial<Ports> = {},
  more: { readonly site?: Site } = {},
): Promise<RunningRpc> {
  const rpc = createRpc({
    ports: { ...createDumpPorts('kvstore-single', { indexing: true }), ...ports },
    options: { laddr: 'tcp://127.0.0.1:0', ...options },
    ...more,
  })
  const listener = await rpc.listen()
  const port = Number(/\d+$/.exec(listener.addresses[0] ?? '')?.[0])
  return { rpc, listener, port, [Symbol.asyncDispose]: () => listener.stop() }
}
