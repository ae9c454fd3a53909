import type { DevnetHeldTx } from '@org/rpc'
import { bytesToHex, hexToBytes } from '@org/types/bytes'
import type { SimNode } from '../node/index.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'

/**
 * The maximum number of held transactions. The call `dev_holdTx` removes a transaction from all mempools and holds it,
 * so that no block contains it. Held transactions do not count for the limits of the mempools.
 */
const MAX_HELD = 1000
/** The number of bytes of a held transaction that `dev_info` shows, from the transaction's beginning. */
const HEAD_BYTES = 64

/** Decides which of the transactions that wait can get into a block. */
export interface Transactions {
  /** Removes a transaction from the mempools of all validators and from the held transactions. */
  readonly drop: (hash: Uint8Array) => void
  /** Removes a transaction from the mempools of all validators, and keeps it as a held transaction. */
  readonly hold: (hash: Uint8Array) => void
  /** Ends the hold of a transaction: adds it to the mempool of the first validator, as if a client had sent it. */
  readonly release: (hash: Uint8Array) => Promise<void>
  readonly held: () => readonly DevnetHeldTx[]
  /**
   * Removes all held transactions. To be called when the chain goes back to a saved moment, because a transaction may
   * have been held only after this moment.
   */
  readonly clear: () => void
}

function unknown(hash: Uint8Array, place: string): DevnetError {
  const message = `no transaction with the hash ${bytesToHex(hash)} ${place}: /unconfirmed_txs shows the transactions that wait`
  return new DevnetError(DEVNET_ERRORS.unknownTx, message)
}

export function createTransactions(nodes: readonly SimNode[]): Transactions {
  /** The held transactions, which are kept out of blocks. The key is the hash in hex. */
  const held = new Map<string, Uint8Array>()

  function removeFromMempools(hash: Uint8Array): Uint8Array | undefined {
    const found = nodes.map((node) => node.engine()?.mempool.remove(hash))
    return found.find((tx) => tx !== undefined)
  }

  return {
    drop: (hash) => {
      const wasHeld = held.delete(bytesToHex(hash))
      if (removeFromMempools(hash) === undefined && !wasHeld) throw unknown(hash, 'waits for a block')
    },
    hold: (hash) => {
      const key = bytesToHex(hash)
      if (held.has(key)) return
      if (held.size >= MAX_HELD) {
        const message = `a devnet holds at most ${MAX_HELD} transactions: release one with held=false, or call dev_dropTx`
        throw new DevnetError(DEVNET_ERRORS.tooManyHeld, message)
      }
      const tx = removeFromMempools(hash)
      if (tx === undefined) throw unknown(hash, 'waits for a block')
      held.set(key, tx)
    },
    release: async (hash) => {
      const key = bytesToHex(hash)
      const tx = held.get(key)
      if (tx === undefined) throw unknown(hash, 'is held')
      held.delete(key)
      await nodes[0]?.engine()?.mempool.checkTx(tx)
    },
    held: () =>
      [...held].map(([key, tx]) => ({
        hash: hexToBytes(key) as Uint8Array,
        size: tx.length,
        head: tx.slice(0, HEAD_BYTES),
      })),
    clear: () => held.clear(),
  }
}
