import { type ByteTransport, parseHostPort } from '@org/p2p'

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

  function oldestOfBusiestHost(): Stream | undefined {
    const counts = new Map<string, number>()
    for (const host of hosts.values()) counts.set(host, (counts.get(host) ?? 0) + 1)
    let found: Stream | undefined
    let most = 0
    for (const [stream, host] of hosts) {
      const count = counts.get(host) ?? 0
      if (count > most) [found, most] = [stream, count]
    }
    return found
  }

  return {
    begin: (stream) => {
      hosts.set(stream, parseHostPort(stream.remoteAddress).host)
      if (hosts.size <= capacity) return
      const victim = oldestOfBusiestHost()
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
