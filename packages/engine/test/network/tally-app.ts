import type { Application } from '@org/abci'
import { bytesToHex, bytesToUtf8, concatBytes, hexToBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'

export interface TallyApp extends Application {
  /** The transactions of all blocks, in order. */
  readonly txs: readonly string[]
}

/**
 * An application whose hash depends on all transactions and their order. The transaction `val:<ed25519 key in
 * hex>!<power>` changes the power of a validator.
 */
export function createTallyApp(more: Application = {}): TallyApp {
  const txs: string[] = []
  let height = 0
  let hash: Uint8Array = new Uint8Array(0)
  return {
    txs,
    info: () => ({ lastBlockHeight: height, lastBlockAppHash: hash }),
    finalizeBlock: (request) => {
      const validatorUpdates = []
      for (const tx of request.txs) {
        hash = sha256(concatBytes(hash, tx))
        const text = bytesToUtf8(tx)
        txs.push(text)
        const [, key, power] = /^val:([0-9a-f]{64})!(\d+)$/i.exec(text) ?? []
        if (key === undefined) continue
        validatorUpdates.push({
          pubKey: { type: 'ed25519', bytes: hexToBytes(key) ?? new Uint8Array(0) } as const,
          power: BigInt(power ?? 0),
        })
      }
      height = request.height
      return { txResults: request.txs.map(() => ({})), appHash: hash, validatorUpdates }
    },
    commit: () => ({}),
    ...more,
  }
}

export const valTx = (key: Uint8Array, power: number): string => `val:${bytesToHex(key)}!${power}`
