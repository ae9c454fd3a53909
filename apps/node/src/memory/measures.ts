/** A measure against a shortage of memory: it frees memory, or keeps the node from using more. */
export interface Measure {
  /** The name of the measure in the log and in the metric. */
  readonly name: string
  /** Frees at least `bytes` if possible. Returns the number of bytes that will probably be free soon. */
  readonly relieve: (bytes: number) => number
  /**
   * Called when the shortage of memory is over. Ends the effect of the measure, for example the refusal of new
   * requests.
   */
  readonly recover?: () => void
}

/** The memory that clients of the RPC use, and the ways to free it. */
export interface ClientMemory {
  readonly setShort: (isShort: boolean) => void
  /** Closes the clients that hold the most memory, until `bytes` are freed. Returns the bytes that they held. */
  readonly closeLargest: (bytes: number) => number
  /** Empties the caches. Returns the number of bytes that they held. */
  readonly dropCaches: () => number
}

/** A peer, and the memory that the node holds for it. */
export interface HoldingPeer {
  readonly id: string
  readonly heldBytes: number
  /** Peers with a lower rank are closed first. */
  readonly rank: number
  readonly close: (reason: Error) => void
}

export interface MeasureParts {
  readonly clients: ClientMemory | undefined
  readonly peers: () => readonly HoldingPeer[]
  readonly closedPeer: (peer: HoldingPeer) => Error
  readonly mempool: { readonly setShortOfMemory: (isShort: boolean) => void }
}

/** The node closes a peer to free memory only if it holds at least this number of bytes for the peer. */
const WORTH_CLOSING = 64 * 1024

/**
 * Closes peers until `bytes` are freed. Peers with the lowest rank are closed first; among peers of one rank, those
 * with the most memory are closed first.
 */
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

/**
 * Returns the actions against a shortage of memory, in the order in which they are taken. None of them stops
 * consensus.
 */
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
