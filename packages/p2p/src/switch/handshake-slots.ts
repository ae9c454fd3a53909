import { addressGroup } from '../address/index.ts'
import type { ByteTransport } from '../transport/index.ts'
import { MAX_HANDSHAKES } from './limits.ts'

/** The unfinished handshakes of streams that other nodes opened; at most {@link MAX_HANDSHAKES}. */
export interface HandshakeSlots {
  /**
   * Takes a slot for the handshake of a stream from this IP address. Returns the function that frees the slot. If no
   * slot is free, closes another stream and takes its slot: the oldest stream of the address group (see {@link
   * addressGroup}) with the most handshakes. Without this rule, an attacker with a few addresses could fill all slots
   * with silent streams, and no other node could connect until the time limit of these handshakes.
   */
  readonly take: (transport: Pick<ByteTransport, 'close'>, ip: string) => () => void
}

interface Handshake {
  readonly group: string
  readonly transport: Pick<ByteTransport, 'close'>
}

export function createHandshakeSlots(): HandshakeSlots {
  /** The handshakes in the order in which they began. */
  const handshakes = new Set<Handshake>()

  /** Returns the oldest handshake of the address group with the most handshakes. */
  function oldestOfLargestGroup(): Handshake | undefined {
    const sizes = new Map<string, number>()
    const sizeOf = ({ group }: Handshake): number => sizes.get(group) ?? 0
    for (const each of handshakes) sizes.set(each.group, sizeOf(each) + 1)
    let found: Handshake | undefined
    for (const each of handshakes) {
      if (found === undefined || sizeOf(each) > sizeOf(found)) found = each
    }
    return found
  }

  return {
    take: (transport, ip) => {
      const own = { group: addressGroup({ id: '', ip, port: 0 }, false), transport }
      handshakes.add(own)
      if (handshakes.size > MAX_HANDSHAKES) {
        const victim = oldestOfLargestGroup()
        if (victim !== undefined) handshakes.delete(victim)
        victim?.transport.close()
      }
      return () => void handshakes.delete(own)
    },
  }
}
