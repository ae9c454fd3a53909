import type { SignatureChecker } from '@org/engine'
import type { GenesisDoc } from '@org/types'
import type { Trace } from '../world/index.ts'
import { createBadBlockRules } from './bad-blocks.ts'
import { createBlockRules, type Verify } from './block-rules.ts'
import { createByzantineInput } from './byzantine-input.ts'
import { createChainRecord } from './chain-record.ts'
import { createDoubleSigns } from './double-signs.ts'
import { createEvidenceRules } from './evidence-rules.ts'
import { createExtensionRules } from './extensions.ts'
import { createHeldMessageRules } from './held-messages.ts'
import { createIndexRules } from './index-rules.ts'
import { createKnownValidators } from './known-validators.ts'
import { createNodeWatch } from './node-watch.ts'
import { createPeerRules } from './peer-rules.ts'
import { createProcessingCostRules } from './processing-cost.ts'
import { createRetainHeights } from './retain-heights.ts'
import { createSentMessageRules } from './sent-messages.ts'
import { createSnapshotRules, type SnapshotModules } from './sent-snapshots.ts'
import { createSentVotes } from './sent-votes.ts'
import { createSigningRules } from './signing.ts'
import type { WatchedNodes } from './watched-nodes.ts'

interface RuleModules {
  readonly genesis: GenesisDoc
  readonly now: () => number
  readonly trace: Trace
  readonly nodes: WatchedNodes
  readonly signatures: Pick<SignatureChecker, 'verify'>
  readonly violate: (rule: string, detail: string) => void
  readonly requestsWithinMs: SnapshotModules['requestsWithinMs']
  /**
   * Returns true if a block may contain this transaction: a client gave the transaction to a node, or the network has a
   * hostile node, which may have made the transaction.
   */
  readonly isKnownTx: (tx: string) => boolean
  /** Returns true if the node may halt now, because of an injected fault. */
  readonly mayHalt: (name: string) => boolean
}

/** The checks of all invariants of a network. Checks that share data are connected here. */
export type Rules = ReturnType<typeof createRules>

export function createRules(modules: RuleModules) {
  const { genesis, now, trace, nodes, signatures, violate, isKnownTx, mayHalt } = modules
  const { chainId, initialHeight } = genesis
  const validatorsAt = createKnownValidators({
    nodes: nodes.honest,
    initialHeight,
    onFault: (detail) => violate('stored', detail),
  })
  const verify: Verify = ({ publicKey, message, signature }) => signatures.verify(publicKey, message, signature)
  const blockFault = createBlockRules({ genesis, validatorsAt, verify })
  const record = createChainRecord({
    violate,
    isKnownTx,
    blockFault,
  })
  const extensions = createExtensionRules(violate)
  const doubleSigns = createDoubleSigns({ chainId, verify })
  const retained = createRetainHeights()
  const peerRules = createPeerRules({ violate, now })
  const snapshots = createSnapshotRules({
    ...{ violate, now, isHonest: nodes.isHonest },
    requestsWithinMs: modules.requestsWithinMs,
  })
  const spend = createProcessingCostRules({ violate, now })
  const held = createHeldMessageRules(violate)
  const badBlocks = createBadBlockRules({ violate, now })
  const messages = createSentMessageRules({
    nodes,
    record,
    violate,
    rules: createSigningRules({ violate, validatorsAt }),
    blockFault,
    sentVoteFault: createSentVotes({ chainId, validatorsAt, verify, isAccepted: extensions.isAccepted }),
  })
  const index = createIndexRules({
    record,
    violate,
    mayHalt,
    initialHeight,
  })
  const evidence = createEvidenceRules({ record, doubleSigns, violate })
  const byzantineInput = createByzantineInput({ nodes, spend, badBlocks })
  const restored = { count: 0 }
  const watch = createNodeWatch({
    chainId,
    initialHeight,
    trace,
    record,
    violate,
    validatorsAt,
    verify,
    doubleSigns,
    badBlocks,
    index,
    evidence,
    onProposal: byzantineInput.proposed,
    honestNodes: nodes.honest,
    onRestored: () => void restored.count++,
  })

  return {
    record,
    extensions,
    doubleSigns,
    retained,
    peerRules,
    snapshots,
    spend,
    held,
    badBlocks,
    byzantineInput,
    messages,
    index,
    evidence,
    restored,
    watch,
    backfilled: { chainId, record, verify },
  }
}
