import type { Peer } from '@org/p2p'

/** A message to a peer, with data that the peer lacks. */
export interface Sending {
  readonly channel: number
  readonly encode: () => Uint8Array
  /** Records that the peer has these data now. */
  readonly sent: () => void
  /** A second message, which must be sent directly after the message that `encode` returns. */
  readonly followUp?: Sending
}

/** Sends one peer the data that the peer lacks, one message after the other, until the peer lacks nothing. */
export interface PeerSender {
  /** Must be called when the peer may lack something new. */
  readonly wake: () => void
}

export interface PeerSenderModules {
  /** Returns the next message for the peer; called again after each send. */
  readonly next: () => Sending | undefined
  /** Called before each message is sent, so that the caller can send its waiting messages at the same time. */
  readonly onSend?: () => void
  /** Called with the error if `next` throws. */
  readonly onError: (error: unknown) => void
  /** Aborts when the peer has disconnected. After the abort, nothing is sent. */
  readonly signal: AbortSignal
}

/** If a send fails, the message does not count as sent. So the next call of `wake` sends the message again. */
export function createPeerSender(peer: Peer, { next, onSend, onError, signal }: PeerSenderModules): PeerSender {
  let isSending = false
  let follow: Sending | undefined

  function note(sending: Sending): void {
    sending.sent()
    follow = sending.followUp
  }

  function choose(): Sending | undefined {
    try {
      return follow ?? next()
    } catch (error) {
      onError(error)
      return undefined
    }
  }

  function advance(): void {
    while (!isSending && !signal.aborted) {
      const sending = choose()
      follow = undefined
      if (sending === undefined) return
      onSend?.()
      const bytes = sending.encode()
      if (peer.trySend(sending.channel, bytes)) note(sending)
      else {
        isSending = true
        void wait(sending, bytes)
      }
    }
  }

  async function wait(sending: Sending, bytes: Uint8Array): Promise<void> {
    const sent = await peer.send(sending.channel, bytes)
    isSending = false
    if (signal.aborted) return
    if (!sent) return
    note(sending)
    advance()
  }

  return { wake: advance }
}
