import { createDigestBuffer } from '#crypto'
import { BLOCK_ERRORS, BlockError } from '../block-id/errors.ts'
import { equalBytes } from '../bytes/index.ts'
import { sha256 } from '../crypto/hash.ts'
import { createProver, isProofValid } from '../merkle/proof.ts'
import { DIGESTS_PER_STEP, finish, hashFromByteSlices, rootOf, treeSteps } from '../merkle/tree.ts'
import type { TxProof } from './wire.ts'

/** Returns a transaction's hash, which is its SHA-256. */
export function hashTx(tx: Uint8Array): Uint8Array {
  return sha256(tx)
}

const hashes = new WeakMap<readonly Uint8Array[], Uint8Array>()
const txHashes = new WeakMap<readonly Uint8Array[], readonly Uint8Array[]>()

/**
 * Returns the hashes of a block's transactions. Several parts of the node need them, so the list is cached with the
 * block.
 */
export function hashTxs(txs: readonly Uint8Array[]): readonly Uint8Array[] {
  return txHashes.get(txs) ?? finish(hashTxsSteps(txs))
}

function* hashTxsSteps(txs: readonly Uint8Array[]): Generator<void, readonly Uint8Array[]> {
  // All digests share one buffer. If each digest had a small buffer, JavaScript would move the buffer when native code
  // uses it. This move costs more than the digest.
  const digests = createDigestBuffer(txs.length)
  const list: Uint8Array[] = []
  for (const [index, tx] of txs.entries()) {
    if (index % DIGESTS_PER_STEP === DIGESTS_PER_STEP - 1) yield
    digests.put(tx, index * 32)
    list.push(digests.bytes.subarray(index * 32, index * 32 + 32))
  }
  txHashes.set(txs, list)
  return list
}

/** Returns the Merkle root over the hashes of the transactions. */
export function hashData(txs: readonly Uint8Array[]): Uint8Array {
  let hash = hashes.get(txs)
  if (hash === undefined) {
    hash = hashFromByteSlices(hashTxs(txs))
    hashes.set(txs, hash)
  }
  return hash
}

/**
 * Computes {@link hashData} and caches the result. Lets other work run after each {@link DIGESTS_PER_STEP} SHA-256
 * digests of transactions or of nodes of the Merkle tree.
 */
export async function hashDataInTurns(txs: readonly Uint8Array[], takeTurn: () => Promise<void>): Promise<void> {
  if (hashes.has(txs)) return
  const list = txHashes.get(txs) ?? (await inTurns(hashTxsSteps(txs), takeTurn))
  if (list.length === 0) return
  hashes.set(txs, rootOf(await inTurns(treeSteps(list), takeTurn)))
}

async function inTurns<T>(steps: Generator<void, T>, takeTurn: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await takeTurn()
  }
}

/**
 * Returns the proof that the transaction at `index` is in a block's data. Throws {@link BlockError} if no transaction
 * has this index.
 */
export function proveTx(txs: readonly Uint8Array[], index: number): TxProof {
  return proveTxs(txs)(index)
}

/**
 * Returns a function that proves transactions of one block, as {@link proveTx} does. The transactions of the block are
 * hashed only once.
 */
export function proveTxs(txs: readonly Uint8Array[]): (index: number) => TxProof {
  const { root, prove } = createProver(hashTxs(txs))
  return (index) => {
    const data = txs[index]
    if (data === undefined) {
      throw new BlockError(BLOCK_ERRORS.txProof, `no transaction ${index} among ${txs.length}`)
    }
    return { rootHash: root, data, proof: prove(index) }
  }
}

/** Throws {@link BlockError} unless the proof proves its transaction under a header's data hash. */
export function validateTxProof(txProof: TxProof, dataHash: Uint8Array): void {
  const { rootHash, data, proof } = txProof
  const problem = (message: string): BlockError => new BlockError(BLOCK_ERRORS.txProof, message)
  if (!equalBytes(dataHash, rootHash)) throw problem('proof matches different data hash')
  if (proof.index < 0) throw problem('proof index cannot be negative')
  if (proof.total <= 0) throw problem('proof total must be positive')
  if (!isProofValid(proof, rootHash, hashTx(data))) throw problem('proof is not internally consistent')
}
