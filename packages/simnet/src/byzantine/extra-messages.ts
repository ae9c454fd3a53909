import { STATESYNC_CHANNELS } from '@org/engine/protocols'
import { PEX_CHANNEL } from '@org/p2p'
import { bytesToHex } from '@org/types/bytes'
import { StateSyncMessage as Sync } from '@org/types/messages'
import { PexMessage } from '@org/types/p2p'
import type { ChannelMessage } from '../peers/index.ts'
import type { RandomSource } from '../world/index.ts'
import { type Behaviour, EXTRA_MESSAGES } from './behaviours.ts'

/**
 * The probability that a call of the method `next` makes messages. In all other calls, `next` returns an empty list. If
 * a call makes messages, each behaviour of the node adds its messages with a further probability.
 */
const OFTEN = 0.02
const QUESTIONS = 4
const FALSE_ADDRESSES = 20
/**
 * The number of requests for snapshots and chunks that are sent at once. A node queues a limited number of requests of
 * one peer, and two such bursts exceed this limit.
 */
const BURST = 40
const FORMAT = 1
const CHUNKS = 4

/** Sends peers messages that are not part of consensus. */
export interface ExtraMessages {
  /**
   * Returns the messages that a dishonest node sends in place of `channelMessage`. Only a message that lists the
   * addresses of nodes is replaced. Any other message is sent unchanged.
   */
  readonly addresses: (channelMessage: ChannelMessage) => readonly ChannelMessage[]
  /**
   * Returns the messages that a dishonest node sends in addition to the messages of an honest node. Usually there are
   * none.
   */
  readonly next: () => readonly ChannelMessage[]
}

export interface ExtraMessagesModules {
  readonly behaviours: readonly Behaviour[]
  readonly does: (behaviour: Behaviour) => boolean
  readonly random: RandomSource
  readonly height: () => number
}

interface Address {
  readonly id: string
  readonly ip: string
  readonly port: number
}

const pexMessage = (sum: PexMessage['sum']): ChannelMessage => ({
  channel: PEX_CHANNEL,
  bytes: PexMessage.encode({ sum }),
})
const askSync = (channel: number, sum: Sync['sum']): ChannelMessage => ({ channel, bytes: Sync.encode({ sum }) })

export function createExtraMessages({ behaviours, does, random, height }: ExtraMessagesModules): ExtraMessages {
  const sendsExtra = EXTRA_MESSAGES.some((behaviour) => behaviours.includes(behaviour))
  const randomId = (): string => bytesToHex(random.bytes(20)).toLowerCase()
  const nowhere = (): Address => ({
    id: randomId(),
    ip: `10.200.${random.below(250)}.${random.below(250)}`,
    port: 26_656,
  })

  function snapshotQuestions(): ChannelMessage[] {
    const { snapshot, chunk } = STATESYNC_CHANNELS
    const at = Math.max(1, height() - random.below(12))
    return Array.from({ length: BURST }, (_, i) =>
      i % 2 === 0
        ? askSync(snapshot, { case: 'snapshotsRequest', value: {} })
        : askSync(chunk, {
            case: 'chunkRequest',
            value: { height: Math.max(1, at - (i % 3)), format: FORMAT, index: i % CHUNKS },
          }),
    )
  }

  return {
    addresses: (channelMessage) => {
      const { sum } = PexMessage.decode(channelMessage.bytes)
      if (sum?.case !== 'pexAddrs') return [channelMessage]
      const { addrs } = sum.value
      if (does('badAddresses'))
        return [pexMessage({ case: 'pexAddrs', value: { addrs: [{ ...nowhere(), port: 70_000 }] } })]
      if (!does('falseAddresses')) return [channelMessage]
      // Addresses of other nodes with ids that these nodes do not have, and addresses at which no node listens.
      const renamed = addrs.map((address) => ({ ...address, id: randomId() }))
      const made = Array.from({ length: FALSE_ADDRESSES }, nowhere)
      return [pexMessage({ case: 'pexAddrs', value: { addrs: [...renamed, ...made] } })]
    },
    next: () => {
      if (!sendsExtra || !random.chance(OFTEN)) return []
      const sent: ChannelMessage[] = []
      if (does('askTooOften'))
        sent.push(...Array.from({ length: QUESTIONS }, () => pexMessage({ case: 'pexRequest', value: {} })))
      if (does('unaskedAddresses'))
        sent.push(pexMessage({ case: 'pexAddrs', value: { addrs: [nowhere(), nowhere()] } }))
      if (does('askSnapshots')) sent.push(...snapshotQuestions())
      if (does('badSnapshotQuestion')) {
        const value = { height: 0, format: FORMAT, index: 0 }
        sent.push(askSync(STATESYNC_CHANNELS.chunk, { case: 'chunkRequest', value }))
      }
      return sent
    },
  }
}
