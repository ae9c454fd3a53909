import type { Peer } from '@org/p2p'

/** Something that a peer lacks. */
export interface Sending {
  readonly channel: number
  readonly encode: () => Uint8Array
  /** Notes that the peer has it now. */
  readonly sent: () => void
  /** What is to follow at once. */
  readonly followUp?: Sending
}

/** Sends one peer what it lacks, one thing after the other, as long as there is anything. */
export interface Lane {
  /** Something changed: the peer may lack something. */
  readonly wake: () => void
  readonly stop: () => void
}

export interface LaneModules {
  /** What the peer lacks now; asked again after each send. */
  readonly next: () => Sending | undefined
  /** Something is about to be sent: what waits for that may leave with it. */
  readonly onSend?: () => void
  /** `next` failed: what it reads from is broken. */
  readonly onError: (error: unknown) => void
}

/** A send that fails changes nothing: the peer still lacks it at the next wake. */
export function createLane(peer: Peer, { next, onSend, onError }: LaneModules): Lane {
  let state: 'idle' | 'sending' | 'stopped' = 'idle'
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
    while (state === 'idle') {
      const sending = choose()
      follow = undefined
      if (sending === undefined) return
      onSend?.()
      const bytes = sending.encode()
      if (peer.trySend(sending.channel, bytes)) note(sending)
      else {
        state = 'sending'
        void wait(sending, bytes)
      }
    }
  }

  async function wait(sending: Sending, bytes: Uint8Array): Promise<void> {
    const sent = await peer.send(sending.channel, bytes)
    if (state !== 'sending') return
    state = 'idle'
    if (!sent) return
    note(sending)
    advance()
  }

  return {
    wake: advance,
    stop: () => {
      state = 'stopped'
    },
  }
}
