import type { BlockMaking, ChainEvents, ChainStart, CommittedChain, Pools } from '@org/engine'
import { queryForEvent } from '@org/engine/query'
import { ResponseFinalizeBlock } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import type { SimNode } from '../node/index.ts'
import type { Trace } from '../world/index.ts'
import type { createBadBlockRules } from './bad-blocks.ts'
import type { Verify } from './block-rules.ts'
import type { ChainRecord } from './chain-record.ts'
import type { createDoubleSigns } from './double-signs.ts'
import type { EvidenceRules } from './evidence-rules.ts'
import type { IndexRules } from './index-rules.ts'
import { joiningFault } from './join-check.ts'
import type { createKnownValidators } from './known-validators.ts'
import { restoredStateFault } from './restored-state.ts'
import { proposerFault } from './rounds.ts'
import { openStores } from './stored.ts'
import { storedFault } from './stored-chain.ts'

interface NodeWatchModules {
  readonly chainId: string
  readonly initialHeight: number
  readonly trace: Trace
  readonly record: ChainRecord
  readonly violate: (rule: string, detail: string) => void
  readonly validatorsAt: ReturnType<typeof createKnownValidators>
  readonly verify: Verify
  readonly doubleSigns: ReturnType<typeof createDoubleSigns>
  readonly badBlocks: ReturnType<typeof createBadBlockRules>
  readonly index: IndexRules
  readonly evidence: EvidenceRules
  /** Called when a node begins with the state of a snapshot. */
  readonly onRestored: () => void
  readonly honestNodes: () => readonly SimNode[]
  /** Called when a node has a complete proposal. */
  readonly onProposal: (name: string, engine: BlockMaking) => void
}

/** The ports of an engine. The rules read the node through these ports. */
export type WatchedEngine = ChainStart & CommittedChain & ChainEvents & Pools & BlockMaking

/** Checks the data that an honest node has when it starts, and the blocks that it commits after the start. */
export interface NodeWatch {
  readonly started: (node: SimNode, engine: WatchedEngine) => void
  /** The last height whose events the node published. */
  readonly published: (name: string) => number
  /** Checks the stores as they are on the disk. A running node may still have data in memory that its disk has lost. */
  readonly checkStored: (node: SimNode, from: number) => void
}

/** Checks the state of a node that has just restored a snapshot. It must be equal to the state of the other nodes. */
function checkRestored(
  node: SimNode,
  engine: ChainStart & CommittedChain,
  { onRestored, honestNodes, violate }: Pick<NodeWatchModules, 'onRestored' | 'honestNodes' | 'violate'>,
): void {
  const at = engine.initialState.lastBlockHeight
  if (!node.isJoiner || engine.blockStore.height() > 0 || at === 0) return
  onRestored()
  const fault = restoredStateFault(node, engine, honestNodes())
  if (fault !== undefined) violate('restored', `${node.name} restored a snapshot of height ${at}: ${fault}`)
}

/** Checks the proposer of each round. In the first round after a start, also checks that the node may sign. */
function watchRounds(
  node: SimNode,
  engine: CommittedChain & ChainEvents,
  { violate, validatorsAt }: Pick<NodeWatchModules, 'violate' | 'validatorsAt'>,
): void {
  const { name } = node
  let hasJoined = false
  engine.events.subscribe({
    subscriber: 'monitor',
    query: queryForEvent('NewRound'),
    onItem: ({ data: event }) => {
      if (event.type !== 'NewRound') return
      const joining = hasJoined ? undefined : joiningFault(node, engine, event.height)
      if (joining !== undefined) violate('signer', `${name} ${joining}`)
      hasJoined = true
      const validators = validatorsAt(event.height)
      const fault = validators && proposerFault(event, event.proposer.address, validators)
      if (fault !== undefined) violate('proposer', `${name} has a wrong proposer: ${fault}`)
    },
  })
}

export function createNodeWatch(modules: NodeWatchModules): NodeWatch {
  const { chainId, initialHeight, trace, record, violate, verify, doubleSigns, badBlocks } = modules
  const { checkIndex } = modules.index
  const published = new Map<string, number>()

  function checkStored(node: SimNode, from: number): void {
    const stores = openStores(node)
    if (stores === undefined) return
    const { blockStore } = stores
    // Below its lowest block, a node keeps only the data that evidence needs.
    for (let height = Math.max(from, blockStore.base(), 1); height <= blockStore.height(); height++) {
      const fault = storedFault(stores, height, { chainId, verify })
      if (fault !== undefined) violate('stored', `the data of ${node.name} for height ${height}: ${fault}`)
    }
  }

  /** Compares the state at the start of a node with the state of the chain at that height. */
  function checkStart(node: SimNode, engine: ChainStart & CommittedChain): void {
    const { name } = node
    const at = engine.initialState.lastBlockHeight
    const before = published.get(name) ?? 0
    if (at < before) violate('lost', `${name} had committed block ${before}, and starts again at height ${at}`)
    const known = record.at(at)
    if (known !== undefined && bytesToHex(engine.initialState.appHash) !== known.appHash) {
      violate('agreement', `${name} starts at height ${at} with another app hash than the chain`)
    }
    checkRestored(node, engine, modules)
    const first = node.isJoiner ? engine.blockStore.base() || at + 1 : initialHeight
    for (let height = Math.max(first, at - 3); height <= at; height++) {
      void checkIndex(name, engine, height)
    }
    checkStored(node, at - 3)
    // If a node crashed between saving a block and publishing it, the node never publishes this block. So this function
    // adds the block to the chain record at the next start of the node.
    for (let height = Math.max(first, record.height() + 1); height <= at; height++) {
      const block = engine.blockStore.loadBlock(height)
      // `undefined` means that the node stores no answer of FinalizeBlock for this height. An empty array is a stored
      // answer, in which each member has its default.
      const answer = engine.stateStore.loadFinalizeBlockBytes(height)
      if (block === undefined || answer === undefined) continue
      record.addBlock(name, block, ResponseFinalizeBlock.decode(answer))
      doubleSigns.block(block)
    }
  }

  function watchBlocks(name: string, engine: ChainStart & CommittedChain & ChainEvents): void {
    let last = engine.initialState.lastBlockHeight
    engine.events.subscribe({
      subscriber: 'monitor',
      query: queryForEvent('NewBlock'),
      onItem: ({ data: event }) => {
        if (event.type !== 'NewBlock') return
        const { block, resultFinalizeBlock } = event
        const { height } = block.header
        trace.note(name, 'commits', height, bytesToHex(resultFinalizeBlock.appHash))
        if (last !== 0 && height !== last + 1) violate('heights', `${name} commits block ${height} after block ${last}`)
        last = height
        published.set(name, height)
        record.addBlock(name, block, resultFinalizeBlock)
        doubleSigns.block(block)
        doubleSigns.committed(name, height)
        modules.evidence.committed(name, height)
        badBlocks.applied(name, height)
        void checkIndex(name, engine, height)
        const base = engine.blockStore.base()
        if (record.at(base) !== undefined && !engine.index.hasBlock(base))
          violate('index', `block_search of ${name} does not find block ${base}, the lowest block that it stores`)
      },
    })
  }

  return {
    started: (node, engine) => {
      const { name } = node
      checkStart(node, engine)
      watchBlocks(name, engine)
      engine.events.subscribe({
        subscriber: 'monitor',
        query: queryForEvent('CompleteProposal'),
        onItem: () => modules.onProposal(name, engine),
      })
      watchRounds(node, engine, modules)
      modules.evidence.watch(name, engine.evidencePool)
    },
    published: (name) => published.get(name) ?? 0,
    checkStored,
  }
}
