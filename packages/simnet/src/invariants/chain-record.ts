import { type Block, hashBlock, hashEvidenceItem, hashResults } from '@org/types'
import type { ResponseFinalizeBlock } from '@org/types/abci'
import { bytesToHex, bytesToUtf8 } from '@org/types/bytes'
import type { BlockFault } from './block-rules.ts'

/** The block of a height, from the first node that committed it. */
export interface Committed {
  readonly height: number
  readonly hash: string
  /** The application's hash after the block. */
  readonly appHash: string
  readonly results: string
  readonly txs: readonly string[]
  /** The time in the block's header, in nanoseconds since 1970. */
  readonly time: bigint
  /** The validators of the next block, as the header names them. */
  readonly nextValidators: string
}

/** The chain that the nodes committed. All nodes must commit the same blocks. */
export interface ChainRecord {
  readonly at: (height: number) => Committed | undefined
  readonly height: () => number
  /** The height at which a transaction was committed for the first time. */
  readonly heightOfTx: (tx: string) => number | undefined
  /** Returns the height of the block that contains this evidence. */
  readonly heightOfEvidence: (hash: string) => number | undefined
  readonly addBlock: (node: string, block: Block, response: ResponseFinalizeBlock) => void
}

export interface ChainRecordModules {
  readonly violate: (rule: string, detail: string) => void
  /** Returns true if a client gave the transaction to a node. */
  readonly isKnownTx: (tx: string) => boolean
  readonly blockFault: BlockFault
}

export function createChainRecord({ violate, isKnownTx, blockFault }: ChainRecordModules): ChainRecord {
  const byHeight = new Map<number, Committed>()
  const txs = new Map<string, number>()
  const evidence = new Map<string, number>()
  let last = 0

  function first(block: Block, committed: Committed): void {
    const { height } = committed
    byHeight.set(height, committed)
    if (last !== 0 && height !== last + 1) violate('heights', `block ${height} was committed after block ${last}`)
    last = Math.max(last, height)
    for (const tx of committed.txs) {
      if (!isKnownTx(tx)) violate('validity', `block ${height} contains the transaction ${tx}, which no client sent`)
      const before = txs.get(tx)
      if (before !== undefined)
        violate('once', `the transaction ${tx} is in block ${before} and again in block ${height}`)
      else txs.set(tx, height)
    }
    for (const item of block.evidence.evidence) {
      const hash = bytesToHex(hashEvidenceItem(item))
      if (evidence.has(hash)) violate('once', `block ${height} contains evidence that an earlier block contains`)
      evidence.set(hash, height)
    }
    const previous = byHeight.get(height - 1)
    const fault = blockFault(block, previous)
    if (fault !== undefined) violate('validity', `block ${height} ${fault}`)
    if (previous !== undefined && bytesToHex(block.header.validatorsHash) !== previous.nextValidators) {
      violate(
        'validators',
        `block ${height} has other validators than block ${height - 1} announced, so no node could follow`,
      )
    }
    if (previous !== undefined && bytesToHex(block.header.lastBlockId.hash) !== previous.hash) {
      violate('agreement', `block ${height} names another block before it than block ${height - 1}`)
    }
    if (previous !== undefined && bytesToHex(block.header.appHash) !== previous.appHash) {
      violate(
        'app hash',
        `the header of block ${height} has another app hash than the application returned after block ${height - 1}`,
      )
    }
    if (previous !== undefined && bytesToHex(block.header.lastResultsHash) !== previous.results) {
      violate(
        'results',
        `the header of block ${height} has another results hash than the results of block ${height - 1}`,
      )
    }
  }

  return {
    at: (height) => byHeight.get(height),
    height: () => last,
    heightOfTx: (tx) => txs.get(tx),
    heightOfEvidence: (hash) => evidence.get(hash),
    addBlock: (node, block, response) => {
      const { height } = block.header
      const committed: Committed = {
        height,
        hash: bytesToHex(hashBlock(block)),
        appHash: bytesToHex(response.appHash),
        results: bytesToHex(hashResults(response.txResults)),
        txs: block.data.txs.map(bytesToUtf8),
        time: block.header.time,
        nextValidators: bytesToHex(block.header.nextValidatorsHash),
      }
      const known = byHeight.get(height)
      if (known === undefined) return first(block, committed)
      for (const field of ['hash', 'appHash', 'results'] as const) {
        if (known[field] !== committed[field]) {
          violate(
            'agreement',
            `${node} has another ${field} at height ${height}: ${committed[field]}, not ${known[field]}`,
          )
        }
      }
    },
  }
}
