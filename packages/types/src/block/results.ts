import { ExecTxResult } from '../abci/index.ts'
import { hashFromByteSlices, hashFromEqualLeaves } from '../merkle/tree.ts'

/** Encodes the part of a result on which all nodes agree: code, data and gas. Log, info and events may differ. */
function resultBytes({ code, data, gasWanted, gasUsed }: ExecTxResult): Uint8Array {
  return ExecTxResult.encode(ExecTxResult.create({ code, data, gasWanted, gasUsed }))
}

function agreeAlike(a: ExecTxResult, b: ExecTxResult): boolean {
  if (a.data.length > 0 || b.data.length > 0) return false
  return a.code === b.code && a.gasWanted === b.gasWanted && a.gasUsed === b.gasUsed
}

/**
 * Returns the Merkle root over the results of a block's transactions, which is `lastResultsHash` of the next header.
 */
export function hashResults(results: readonly ExecTxResult[]): Uint8Array {
  // Many results of a block are equal. Equal results that follow each other are encoded once.
  let last: ExecTxResult | undefined
  let bytes: Uint8Array = new Uint8Array(0)
  let kinds = 0
  const leaves = results.map((result) => {
    if (last === undefined || !agreeAlike(last, result)) {
      bytes = resultBytes(result)
      kinds++
    }
    last = result
    return bytes
  })
  return kinds === 1 ? hashFromEqualLeaves(bytes, leaves.length) : hashFromByteSlices(leaves)
}
