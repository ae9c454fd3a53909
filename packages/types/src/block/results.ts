import { ExecTxResult } from '../abci/index.ts'
import type { Proof } from '../crypto/wire.ts'
import { proofsFromByteSlices } from '../merkle/proof.ts'
import { hashFromByteSlices } from '../merkle/tree.ts'

/** What all nodes agree on of a result: code, data and gas. Log, info and events are each application's own. */
function resultBytes({ code, data, gasWanted, gasUsed }: ExecTxResult): Uint8Array {
  return ExecTxResult.encode(ExecTxResult.create({ code, data, gasWanted, gasUsed }))
}

/** The Merkle root over the results of a block's transactions: the next header's `lastResultsHash`. */
export function hashResults(results: readonly ExecTxResult[]): Uint8Array {
  return hashFromByteSlices(results.map(resultBytes))
}

/** The proofs of the results, one each. */
export function proveResults(results: readonly ExecTxResult[]): readonly Proof[] {
  return proofsFromByteSlices(results.map(resultBytes)).proofs
}
