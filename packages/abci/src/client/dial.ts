import { connect, type Socket } from 'node:net'
import type { Clock, Logger } from '@org/runtime'
import { messageOf } from '@org/runtime'
import { type Address, formatAddress } from '../address.ts'
import { CONNECT_RETRY } from '../options.ts'

/** One try to connect. Rejects with the system's error, or the signal's reason. */
export function dialOnce(address: Address, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason)
      return
    }
    const socket =
      address.kind === 'unix'
        ? connect(address.path)
        : connect({ host: address.host || '127.0.0.1', port: address.port })
    const settle = (act: () => void): void => {
      socket.removeAllListeners()
      signal?.removeEventListener('abort', onAbort)
      act()
    }
    const onAbort = (): void => {
      settle(() => {
        socket.on('error', () => undefined)
        socket.destroy()
        reject(signal?.reason)
      })
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    socket.once('connect', () => settle(() => resolve(socket)))
    socket.once('error', (error) => settle(() => reject(error)))
  })
}

/** Tries to connect until a server listens at `address`. */
export async function dial(
  address: Address,
  modules: { readonly clock: Clock; readonly logger: Logger },
  signal?: AbortSignal,
): Promise<Socket> {
  let wait: number = CONNECT_RETRY.first
  for (;;) {
    try {
      return await dialOnce(address, signal)
    } catch (error) {
      signal?.throwIfAborted()
      modules.logger.warn('Cannot connect to the application, trying again', {
        address: formatAddress(address),
        retryMs: wait,
        error: messageOf(error),
      })
    }
    await modules.clock.sleep(wait, signal)
    wait = Math.min(wait * 2, CONNECT_RETRY.most)
  }
}
