import type { Server } from 'node:net'
import { messageOf } from '@org/runtime/errors'
import { listenOnPath } from '@org/runtime/sockets'
import { RPC_ERRORS, RpcError } from '../errors.ts'
import { formatListenAddress, type ListenAddress } from './address.ts'

/** Listens on one address. `socketMode` sets the permissions of a socket file. Rejects with RpcError (`RPC_CONFIG`). */
export function listen(server: Server, address: ListenAddress, socketMode: number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const message = `failed to listen on ${formatListenAddress(address)}: ${messageOf(error)}`
      reject(
        new RpcError(RPC_ERRORS.config, message, { data: { address: formatListenAddress(address) }, cause: error }),
      )
    })
    const onListening = (): void => {
      server.removeAllListeners('error')
      server.on('error', () => undefined)
      resolve()
    }
    if (address.kind === 'unix') {
      const mode = socketMode === undefined ? {} : { mode: socketMode }
      listenOnPath(server, { path: address.path, onListening, ...mode })
    } else server.listen({ port: address.port, ...(address.host === '' ? {} : { host: address.host }) }, onListening)
  })
}

/**
 * Returns the address on which the server listens. If `address` has port 0, the operating system has chosen a free
 * port, and the result contains the chosen port.
 */
export function boundAddress(server: Server, address: ListenAddress): ListenAddress {
  const bound = server.address()
  if (address.kind === 'unix' || typeof bound !== 'object' || bound === null) return address
  return { ...address, port: bound.port }
}
