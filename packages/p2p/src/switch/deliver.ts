import type { Logger } from '@org/runtime'
import { MisbehaviourError } from '../nodeinfo/index.ts'
import type { Peer, Reactor, Verdict } from '../reactor/index.ts'
import type { SwitchMetrics } from './metrics.ts'
import type { Scores } from './scores.ts'

interface DeliveryModules {
  readonly reactors: readonly Reactor[]
  readonly scores: Scores
  readonly metrics: SwitchMetrics
  readonly logger: Logger
  /** Ends the connection with a peer that misbehaved. */
  readonly stopPeer: (peer: Peer, reason: Error) => void
}

/** Passes a message to the reactor of its channel, and applies the verdict. */
export type Deliver = (peer: Peer, channel: number, message: Uint8Array) => void | Promise<void>

export function createDelivery({ reactors, scores, metrics, logger, stopPeer }: DeliveryModules): Deliver {
  const reactorOf = new Map(reactors.flatMap((reactor) => reactor.channels.map(({ id }) => [id, reactor] as const)))

  function apply(peer: Peer, verdict: Verdict): void {
    if (verdict.type === 'accept') return
    const { code, reason } = verdict
    if (verdict.type === 'ignore') {
      logger.debug('Ignored a message', { peer: peer.id, code, reason })
      return
    }
    metrics.misbehaved(code)
    if (scores.lose(peer.id, verdict.points)) logger.warn('Banned peer', { peer: peer.id, code, reason })
    stopPeer(peer, new MisbehaviourError(code, reason, { data: { id: peer.id } }))
  }

  return (peer, channel, message) => {
    metrics.received(peer.id, channel, message)
    const verdict = reactorOf.get(channel)?.receive(peer, channel, message)
    if (verdict instanceof Promise) return verdict.then((late) => apply(peer, late))
    return verdict === undefined ? undefined : apply(peer, verdict)
  }
}
