import { ExecTxResult, ProposalStatus, VerifyStatus } from '@org/types/abci'
import type { Application } from './application.ts'

/** The answers of the reference's base application. */
export const DEFAULT_APPLICATION: Required<Application> = {
  info: () => ({}),
  query: () => ({}),
  checkTx: () => ({}),
  initChain: () => ({}),
  prepareProposal: ({ txs, maxTxBytes }) => {
    const limit = Number(maxTxBytes)
    let total = 0
    const past = txs.findIndex((tx) => {
      total += tx.length
      return total > limit
    })
    return { txs: past < 0 ? txs : txs.slice(0, past) }
  },
  processProposal: () => ({ status: ProposalStatus.accept }),
  extendVote: () => ({}),
  verifyVoteExtension: () => ({ status: VerifyStatus.accept }),
  finalizeBlock: ({ txs }) => ({ txResults: txs.map(() => ExecTxResult.create()) }),
  commit: () => ({}),
  listSnapshots: () => ({}),
  offerSnapshot: () => ({}),
  loadSnapshotChunk: () => ({}),
  applySnapshotChunk: () => ({}),
}
