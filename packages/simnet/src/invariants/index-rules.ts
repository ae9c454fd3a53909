import type { CommittedChain } from '@org/engine'
import { INDEX_ERRORS } from '@org/engine/storage'
import { isCodedError } from '@org/runtime'
import { hashTx } from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import type { SimNode } from '../node/index.ts'
import type { ChainRecord } from './chain-record.ts'

interface IndexModules {
  readonly record: ChainRecord
  readonly violate: (rule: string, detail: string) => void
  /** Returns true if the node may halt now, because of an injected fault. */
  readonly mayHalt: (name: string) => boolean
  readonly initialHeight: number
}

/** The rules for the index: searches find a committed block and its transactions, and find nothing of pruned blocks. */
export interface IndexRules {
  readonly checkIndex: (node: string, chain: CommittedChain, height: number) => Promise<void>
  /**
   * Checks that searches find nothing of pruned blocks. The highest pruned blocks are not checked: the index is pruned
   * less often than the blocks, so the index may still have entries of these blocks.
   */
  readonly checkPruned: (node: SimNode, chain: CommittedChain) => Promise<void>
}

export function createIndexRules({ record, violate, mayHalt, initialHeight }: IndexModules): IndexRules {
  async function checkIndex(node: string, chain: CommittedChain, height: number): Promise<void> {
    if (record.at(height) !== undefined && !chain.index.hasBlock(height)) {
      violate('index', `block_search of ${node} does not find block ${height}`)
    }
    for (const [place, tx] of (record.at(height)?.txs ?? []).entries()) {
      const found = await chain.index.tx(hashTx(utf8ToBytes(tx))).catch((error: Error) => error)
      // A bad disk stops the node. A search of the index waits until the last block is written into the index. If this
      // write fails, the search reports the failed write before the node stops.
      if (isCodedError(found, INDEX_ERRORS.unwritten) && mayHalt(node)) return
      if (found instanceof Error) {
        violate('index', `${node} cannot read the transaction ${tx} from the index: ${found.message}`)
        continue
      }
      if (found?.height === height && found.index === place) continue
      if (record.heightOfTx(tx) !== height) continue
      violate('index', `${node} does not find the transaction ${tx} of block ${height}`)
    }
  }

  async function checkPruned({ name, options }: SimNode, chain: CommittedChain): Promise<void> {
    const base = chain.blockStore.base()
    for (let height = initialHeight; height < base - options.pruneIndexEvery; height++) {
      const [tx] = record.at(height)?.txs ?? []
      const found = tx === undefined ? undefined : await chain.index.tx(hashTx(utf8ToBytes(tx)))
      if (chain.index.hasBlock(height) || found !== undefined)
        violate('index', `the index of ${name} still has entries of block ${height}, and its lowest block is ${base}`)
    }
  }

  return { checkIndex, checkPruned }
}
