import { createServer } from 'node:net'
import type { Config } from '../config/index.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'

/**
 * Maps the configuration key of an address to a flag that sets a different address. If another program already uses the
 * address, the error suggests this flag.
 */
const OTHERS = {
  'rpc.laddr': '--rpc.laddr=tcp://127.0.0.1:26667',
  'rpc.grpc_laddr': '--rpc.grpc_laddr=tcp://127.0.0.1:26668',
  'p2p.laddr': '--p2p.laddr=tcp://0.0.0.0:26666',
  laddr: '--laddr=tcp://localhost:8889',
} as const

export function addressInUse(address: string, key: keyof typeof OTHERS, cause: unknown): CliError {
  return new CliError(
    CLI_ERRORS.addressInUse,
    `another program listens on ${address}: stop it (is a node running already?), or choose another address, such as ${OTHERS[key]}`,
    { data: { address }, cause },
  )
}

const TCP_ADDRESS = /^(?:tcp:\/\/)?(?:\[([^\]]*)\]|([^:/[\]]*)):(\d{1,5})$/

/**
 * Listens on an address, and stops immediately. Resolves with the error if another program listens there, otherwise
 * with `undefined`.
 */
function probe(address: string): Promise<NodeJS.ErrnoException | undefined> {
  const [, host6, host4, port] = TCP_ADDRESS.exec(address.trim()) ?? []
  // Unix sockets, the port 0 and invalid addresses are not checked: the listener reports their errors later.
  if (port === undefined || Number(port) === 0 || Number(port) > 65_535) return Promise.resolve(undefined)
  const host = host6 ?? host4 ?? ''
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE' ? error : undefined))
    server.listen({ port: Number(port), ...(host === '' ? {} : { host }) }, () =>
      server.close(() => resolve(undefined)),
    )
  })
}

/**
 * Throws a `CliError` if another program listens on an address of this node. The node itself begins to listen only
 * after the handshake. Without this check, the operator would see the error only after hours of replay, or never if the
 * application is missing.
 */
export async function checkPortsFree({ rpc, p2p }: Config): Promise<void> {
  const wanted = [
    ['rpc.laddr', rpc.laddr.split(',')],
    ['rpc.grpc_laddr', [rpc.grpcLaddr]],
    ['p2p.laddr', [p2p.laddr]],
  ] as const
  for (const [key, addresses] of wanted) {
    for (const address of addresses) {
      const error = await probe(address)
      if (error !== undefined) throw addressInUse(address.trim(), key, error)
    }
  }
}
