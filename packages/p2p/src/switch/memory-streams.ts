import type { NetAddress } from '../address/index.ts'
import { type ByteTransport, memoryTransportPair, TRANSPORT_ERRORS, TransportError } from '../transport/index.ts'
import type { StreamFactory } from './stream-factory.ts'

/** Streams inside this process, for tests and simulations. Each node has its own address. */
export interface MemoryHub {
  /** Returns the object with which the node at this address opens streams to other nodes and accepts streams. */
  readonly of: (ip: string) => StreamFactory
}

/**
 * Creates the streams for nodes of this process. `schedule` runs each delivery, by default in a later turn of the event
 * loop.
 */
export function createMemoryHub(schedule?: (run: () => void) => void): MemoryHub {
  const listeners = new Map<string, (transport: ByteTransport) => void>()
  let lastPort = 49_151
  const place = (host: string, port: number): string => `${host}:${port}`

  const dial = async (ip: string, to: NetAddress): Promise<ByteTransport> => {
    const accept = listeners.get(place(to.ip, to.port))
    if (accept === undefined) {
      throw new TransportError(TRANSPORT_ERRORS.dial, `dial ${place(to.ip, to.port)}: no node listens at this address`)
    }
    lastPort = lastPort === 65_535 ? 49_152 : lastPort + 1
    const [near, far] = memoryTransportPair([place(ip, lastPort), place(to.ip, to.port)], schedule)
    accept(far)
    return near
  }

  return {
    of: (ip) => ({
      dial: (to) => dial(ip, to),
      listen: async ({ port }, accept) => {
        const key = place(ip, port)
        if (listeners.has(key))
          throw new TransportError(TRANSPORT_ERRORS.listen, `listen on ${key}: the address is in use`)
        listeners.set(key, accept)
        return { host: ip, port, close: async () => void listeners.delete(key) }
      },
    }),
  }
}
