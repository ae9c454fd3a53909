import type { ChainStart, CommittedChain } from '@org/engine'
import { ConsensusParams, type ValidatorSet } from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import type { SimNode } from '../node/index.ts'

const textOf = ({ validators }: ValidatorSet): string =>
  validators
    .map(({ address, votingPower, proposerPriority }) => `${bytesToHex(address)} ${votingPower} ${proposerPriority}`)
    .join()

/**
 * Compares the state with which a node begins with the state of another node after the same block. Returns the
 * difference; `undefined` if the states are equal. The comparison needs another node that has the next two blocks. If
 * no other node has these blocks, returns a text that says so.
 */
export function restoredStateFault(
  node: SimNode,
  { initialState: state, blockStore: own }: ChainStart & CommittedChain,
  others: readonly SimNode[],
): string | undefined {
  const height = state.lastBlockHeight
  const commit = own.loadSeenCommit(height)
  if (commit === undefined) return `its block store has no commit of height ${height}`
  for (const other of others) {
    const engine = other === node ? undefined : other.engine()
    const next = engine?.blockStore.loadBlockMeta(height + 1)?.header
    if (engine === undefined || next === undefined || engine.blockStore.height() < height + 2) continue
    const { stateStore, blockStore } = engine
    const last = blockStore.loadBlockMeta(height)
    if (last === undefined) continue
    if (!equalBytes(state.appHash, next.appHash)) return `it has another app hash than ${other.name}`
    if (!equalBytes(state.lastResultsHash, next.lastResultsHash))
      return `it has another results hash than ${other.name}`
    if (!equalBytes(state.lastBlockId.hash, last.blockId.hash)) return `it has another last block than ${other.name}`
    if (!equalBytes(commit.blockId.hash, last.blockId.hash))
      return `it has the commit of another block than ${other.name}`
    if (state.lastBlockTime !== last.header.time) return `it has another time of the last block than ${other.name}`
    const sets = [state.lastValidators, state.validators, state.nextValidators] as const
    for (const [index, set] of sets.entries()) {
      if (set === undefined || textOf(set) !== textOf(stateStore.loadValidators(height + index)))
        return `it has other validators of height ${height + index} than ${other.name}`
    }
    const [mine, theirs] = [state.consensusParams, stateStore.loadConsensusParams(height + 1)].map((params) =>
      bytesToHex(ConsensusParams.encode(params)),
    )
    return mine === theirs ? undefined : `it has other consensus parameters than ${other.name}`
  }
  return 'no other node has the two blocks after that height'
}
