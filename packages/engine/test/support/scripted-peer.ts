import { NO_FLOW, type Peer } from '@org/p2p'
import { DefaultNodeInfo } from '@org/types/p2p'

export interface ScriptedPeer extends Peer {
  /** The messages that were sent to the peer, in order. */
  readonly sent: readonly { readonly channel: number; readonly message: Uint8Array }[]
  /** The number of messages that the peer's queue takes before the next `drain`. */
  room: number
  /** Sets `room`, the number of messages that the queue of the peer takes. Waiting calls of `send` then continue. */
  readonly drain: (room: number) => void
  /** Ends the waiting calls of `send`. They return false. */
  readonly fail: () => void
}

/** Creates a peer whose queue is filled and emptied by the test. */
export function scriptedPeer(id: string, more: Partial<Peer> = {}): ScriptedPeer {
  const sent: { channel: number; message: Uint8Array }[] = []
  let waiters: ((sent: boolean) => void)[] = []
  const peer: ScriptedPeer = {
    id,
    nodeInfo: DefaultNodeInfo.create({ defaultNodeId: id }),
    outbound: true,
    persistent: false,
    socketAddress: { id, ip: '127.0.0.1', port: 1 },
    reportedAddress: { id, ip: '127.0.0.1', port: 1 },
    hasChannel: () => true,
    heldBytes: () => 0,
    canSend: () => peer.room > 0,
    trySend: (channel, message) => {
      if (peer.room <= 0) return false
      peer.room--
      sent.push({ channel, message })
      return true
    },
    send: async (channel, message) => {
      while (!peer.trySend(channel, message)) {
        if (!(await new Promise<boolean>((resolve) => waiters.push(resolve)))) return false
      }
      return true
    },
    status: () => ({ sent: NO_FLOW, received: NO_FLOW, channels: [], durationNs: 0n }),
    sent,
    room: Number.POSITIVE_INFINITY,
    drain: (room) => {
      peer.room = room
      for (const wake of waiters.splice(0)) wake(true)
    },
    fail: () => {
      const waiting = waiters
      waiters = []
      for (const wake of waiting) wake(false)
    },
    ...more,
  }
  return peer
}

/** Waits until the callbacks of pending promises and of `setImmediate` have run. */
export async function settle(turns = 5): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
}
