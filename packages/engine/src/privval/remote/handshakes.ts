import { type ByteTransport, parseHostPort } from '@org/p2p'
import { oldestOfLargestGroup } from '@org/runtime'

type Stream = Pick<ByteTransport, 'remoteAddress' | 'close'>

/** The unfinished handshakes with signers; at most `capacity`. */
export interface SignerHandshakes {
  /**
   * Records that a handshake has begun. If there are too many, closes the oldest stream of the host that has the most
   * handshakes. Without this rule, silent streams of one stranger could keep the signer away, and the validator could
   * not vote.
   */
  readonly begin: (stream: Stream) => void
  readonly end: (stream: Stream) => void
  readonly closeAll: () => void
}

export function createSignerHandshakes(capacity: number): SignerHandshakes {
  /** The host of each stream, in the order in which the handshakes began. */
  const hosts = new Map<Stream, string>()

  return {
    begin: (stream) => {
      hosts.set(stream, parseHostPort(stream.remoteAddress).host)
      if (hosts.size <= capacity) return
      const victim = oldestOfLargestGroup(hosts.keys(), (each) => hosts.get(each) ?? '')
      if (victim === undefined) return
      hosts.delete(victim)
      victim.close()
    },
    end: (stream) => void hosts.delete(stream),
    closeAll: () => {
      for (const stream of hosts.keys()) stream.close()
    },
  }
}
