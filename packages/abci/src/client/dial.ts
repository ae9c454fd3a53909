import { connect, type Socket } from 'node:net'
import { messageOf } from '@org/runtime'
import { type Address, formatAddress } from '../address.ts'
import type { ClientModules } from './options.ts'
import { retryConnect } from './retry-connect.ts'

/** Tries to connect once. Rejects with the system's error, or with the signal's reason. */
function dialOnce(address: Address, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason)
      return
    }
    const socket =
      address.kind === 'unix'
        ? connect(address.path)
        : connect({ host: address.host || '127.0.0.1', port: address.port })
    const finish = (act: () => void): void => {
      socket.removeAllListeners()
      signal?.removeEventListener('abort', onAbort)
      act()
    }
    const onAbort = (): void => {
      finish(() => {
        socket.on('error', () => undefined)
        socket.destroy()
        reject(signal?.reason)
      })
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    socket.once('connect', () => finish(() => resolve(socket)))
    socket.once('error', (error) => finish(() => reject(error)))
  })
}

/** Tries to connect until a server listens at `address`. */
export function dial(address: Address, modules: ClientModules, signal?: AbortSignal): Promise<Socket> {
  return retryConnect(
    {
      address: formatAddress(address),
      attempt: () => dialOnce(address, signal),
      isFinal: () => false,
      reasonOf: messageOf,
    },
    modules,
    signal,
  )
}
