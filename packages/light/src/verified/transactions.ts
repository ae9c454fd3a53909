import { hashTx, validateTxProof } from '@org/types'
import {
  type Answer,
  check,
  checkBytes,
  checkDistinct,
  checkNumber,
  hashOfArgs,
  heightOfAnswer,
  type PartlyVerified,
  type Unverified,
  unprovable,
  type Verified,
  type VerifiedModules,
} from './answer.ts'

type Found = Answer<'tx'>
/**
 * A transaction of a block. The proof shows only that the transaction is in the block. Its result is not proved: see
 * `blockResults`. Its index is not proved either, because no header has the number of transactions. So one proof fits
 * several indexes: a proof of index 1 of 2 is also a proof of index 2 of 3.
 */
export type VerifiedTx = PartlyVerified<Found, 'txResult' | 'index'>

/** The calls about transactions whose answers are verified. */
export interface VerifiedTransactions {
  readonly tx: Verified<'tx', VerifiedTx>
  /** Each transaction is proved. No proof shows that the list of matching transactions is complete. */
  readonly txSearch: Verified<
    'txSearch',
    { readonly txs: readonly VerifiedTx[]; readonly totalCount: Unverified<number> }
  >
}

/** Checks that a transaction is in the block of its height, and that the proof has the same index as the answer. */
async function verifyTx(
  { headers }: VerifiedModules,
  { method, signal }: { readonly method: string; readonly signal: AbortSignal | undefined },
  { hash, height, index, tx, proof }: Found,
): Promise<void> {
  if (proof === undefined) throw unprovable(method, 'the node sent no proof')
  checkBytes(method, 'hash', [hash, hashTx(tx)])
  checkBytes(method, 'proof data', [proof.data, tx])
  checkNumber(method, 'index', [proof.proof.index, index])
  const { header } = await headers.at(heightOfAnswer(method, height), signal)
  check(method, () => validateTxProof(proof, header.dataHash))
}

export function createVerifiedTransactions(modules: VerifiedModules): VerifiedTransactions {
  const { client } = modules
  return {
    tx: async (args = {}, options = {}) => {
      const hash = hashOfArgs('tx', args.hash)
      const answer = await client.tx({ ...args, prove: true }, options)
      checkBytes('tx', 'hash', [answer.hash, hash])
      await verifyTx(modules, { method: 'tx', signal: options.signal }, answer)
      return answer
    },
    txSearch: async (args = {}, options = {}) => {
      const answer = await client.txSearch({ ...args, prove: true }, options)
      checkDistinct(
        'tx_search',
        answer.txs.map(({ hash }) => hash),
      )
      for (const found of answer.txs) await verifyTx(modules, { method: 'tx_search', signal: options.signal }, found)
      return answer
    },
  }
}
