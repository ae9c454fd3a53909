import { oldestOfLargestGroup } from '@org/runtime'
import { addressGroup } from '../address/index.ts'
import type { ByteTransport } from '../transport/index.ts'
import { MAX_HANDSHAKES } from './limits.ts'

/** The slot of one handshake. */
export interface HandshakeSlot {
  /**
   * True while the application's filter decides about the stream of this handshake. During this time, the stream is not
   * closed to give its slot to a new stream. Without this rule, an attacker could make the node send any number of
   * questions to the application at the same time.
   */
  isFiltered: boolean
  readonly release: () => void
}

/** The unfinished handshakes of streams that other nodes opened; at most {@link MAX_HANDSHAKES}. */
export interface HandshakeSlots {
  /**
   * Takes a slot for the handshake of a stream from this IP address. If no slot is free, closes another stream and
   * takes its slot: the oldest stream of the address group (see {@link addressGroup}) with the most handshakes. Without
   * this rule, an attacker with a few addresses could fill all slots with silent streams, and no other node could
   * connect until the time limit of these handshakes. A stream about which the application's filter decides is not
   * closed. If the filter decides about all other streams, no slot can become free, and the function returns
   * `undefined`.
   */
  readonly acquire: (transport: Pick<ByteTransport, 'close'>, ip: string) => HandshakeSlot | undefined
}

interface Handshake extends HandshakeSlot {
  readonly group: string
  readonly transport: Pick<ByteTransport, 'close'>
}

export function createHandshakeSlots(): HandshakeSlots {
  /** The handshakes in the order in which they began. */
  const handshakes = new Set<Handshake>()

  return {
    acquire: (transport, ip) => {
      const group = addressGroup({ id: '', ip, port: 0 }, false)
      const handshake: Handshake = {
        group,
        transport,
        isFiltered: false,
        release: () => void handshakes.delete(handshake),
      }
      handshakes.add(handshake)
      if (handshakes.size > MAX_HANDSHAKES) {
        const open = [...handshakes].filter(({ isFiltered }) => !isFiltered)
        const victim = oldestOfLargestGroup(open, ({ group: each }) => each) ?? handshake
        handshakes.delete(victim)
        if (victim === handshake) return undefined
        victim.transport.close()
      }
      return handshake
    },
  }
}
