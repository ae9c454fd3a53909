import { createServer, type Server } from 'node:net'
import { messageOf } from '@org/runtime'
import { clearStaleSocket } from '@org/runtime/sockets'
import { type Address, formatAddress } from '../address.ts'
import { ABCI_ERRORS, AbciError } from '../errors.ts'

function tryListen(server: Server, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => reject(error)
    server.once('error', onError)
    const onListening = (): void => {
      server.off('error', onError)
      resolve()
    }
    if (address.kind === 'unix') server.listen(address.path, onListening)
    else if (address.host === '') server.listen(address.port, onListening)
    else server.listen(address.port, address.host, onListening)
  })
}

export function listenError(address: Address, cause: unknown): AbciError {
  const text = formatAddress(address)
  const busy = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
  const message = busy
    ? `${text} is in use: stop the program that listens there, or choose another address`
    : `cannot listen on ${text}: ${messageOf(cause)}`
  return new AbciError(ABCI_ERRORS.listen, message, { data: { address: text }, cause })
}

/** Listens at `address`, and replaces the socket file of a server that has ended. Rejects with `ABCI_LISTEN`. */
export async function listen(server: Server, address: Address): Promise<void> {
  if (address.kind === 'unix') await clearStaleSocket(address.path)
  await tryListen(server, address).catch((cause: unknown) => {
    throw listenError(address, cause)
  })
}

/**
 * Tests whether the server can listen at the address. Rejects with `ABCI_LISTEN` if it cannot. After the test, the
 * address is free again.
 */
export async function probe(address: Address): Promise<void> {
  const server = createServer()
  await listen(server, address)
  await new Promise((resolve) => server.close(resolve))
}
