/** One thing that gives memory back, or keeps more from being used. */
export interface Measure {
  /** Names it in the log and in the metric. */
  readonly name: string
  /** Gives at least `bytes` back if it can. Returns how many bytes it expects to be free soon. */
  readonly relieve: (bytes: number) => number
  /** The shortage is over. */
  readonly recover?: () => void
}

/** The clients of the node. */
export interface ClientMemory {
  readonly setShort: (isShort: boolean) => void
  /** Closes those that hold the most. Returns how many bytes they held. */
  readonly closeLargest: (bytes: number) => number
  /** Returns how many bytes the caches had. */
  readonly dropCaches: () => number
}

/** A peer, with what it makes the node keep. */
export interface HoldingPeer {
  readonly id: string
  readonly heldBytes: number
  /** Those with a lower rank are closed first. */
  readonly rank: number
  readonly close: (reason: Error) => void
}

export interface MeasureParts {
  readonly clients: ClientMemory | undefined
  readonly peers: () => readonly HoldingPeer[]
  readonly closedPeer: (peer: HoldingPeer) => Error
  readonly mempool: { readonly setShortOfMemory: (isShort: boolean) => void }
}

/** A peer that holds less is not worth closing. */
const WORTH_CLOSING = 64 * 1024

/** Those of a lower rank first, and of one rank those that hold the most. */
function closeLargestPeers({ peers, closedPeer }: MeasureParts, bytes: number): number {
  const worth = peers().filter(({ heldBytes }) => heldBytes >= WORTH_CLOSING)
  let freed = 0
  for (const peer of worth.sort((a, b) => a.rank - b.rank || b.heldBytes - a.heldBytes)) {
    if (freed >= bytes) break
    peer.close(closedPeer(peer))
    freed += peer.heldBytes
  }
  return freed
}

/** The measures of a node that is short of memory, in their order. None concerns consensus: the node makes blocks throughout. */
export function memoryMeasures(parts: MeasureParts): readonly Measure[] {
  const { clients, mempool } = parts
  const ofClients: readonly Measure[] =
    clients === undefined
      ? []
      : [
          {
            name: 'refuse new requests from clients',
            relieve: () => {
              clients.setShort(true)
              return 0
            },
            recover: () => clients.setShort(false),
          },
          { name: 'close the connections of the clients that hold the most memory', relieve: clients.closeLargest },
          { name: 'remove the cached answers', relieve: clients.dropCaches },
        ]
  return [
    ...ofClients,
    {
      name: 'close the connections of the peers that hold the most memory',
      relieve: (bytes) => closeLargestPeers(parts, bytes),
    },
    {
      name: 'refuse new transactions',
      relieve: () => {
        mempool.setShortOfMemory(true)
        return 0
      },
      recover: () => mempool.setShortOfMemory(false),
    },
  ]
}
