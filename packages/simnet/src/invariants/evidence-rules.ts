import type { Pools } from '@org/engine'
import { bytesToHex } from '@org/types/bytes'
import { type Evidence, evidenceHeight, hashEvidenceItem } from '@org/types/evidence'
import type { ChainRecord } from './chain-record.ts'
import type { createDoubleSigns } from './double-signs.ts'

/** The number of heights for which evidence may wait for a block after the first node has received it. */
const EVIDENCE_GRACE = 5

interface EvidenceModules {
  readonly record: ChainRecord
  readonly doubleSigns: ReturnType<typeof createDoubleSigns>
  readonly violate: (rule: string, detail: string) => void
}

/**
 * The rule about double signs. If an honest node received both votes of a double sign, or has evidence of it, a block
 * must contain the evidence.
 */
export interface EvidenceRules {
  readonly watch: (name: string, pool: Pools['evidencePool']) => void
  readonly conclude: () => void
}

export function createEvidenceRules({ record, doubleSigns, violate }: EvidenceModules): EvidenceRules {
  /**
   * The evidence that nodes have received, by its hash. `height` is the height of the double sign. `chain` is the
   * height of the chain when the first node had the evidence.
   */
  const evidenceSeen = new Map<string, { readonly height: number; readonly chain: number; readonly by: string }>()
  return {
    watch: (name, pool) => {
      pool.onEvidence((evidence: Evidence) => {
        const hash = bytesToHex(hashEvidenceItem(evidence))
        // A node that is behind the chain receives evidence late. So the height of the chain is recorded, and not the
        // height of the node.
        const chain = record.height()
        if (!evidenceSeen.has(hash)) evidenceSeen.set(hash, { height: evidenceHeight(evidence), chain, by: name })
      })
    },
    conclude: () => {
      for (const what of doubleSigns.unpunished(record.height(), EVIDENCE_GRACE)) {
        violate(
          'evidence',
          `honest nodes received two signatures of ${what}, and up to height ${record.height()} no block contains evidence of it`,
        )
      }
      for (const [hash, { height, chain, by }] of evidenceSeen) {
        if (record.heightOfEvidence(hash) !== undefined || record.height() < Math.max(height, chain) + EVIDENCE_GRACE)
          continue
        violate(
          'evidence',
          `${by} has evidence of a double sign at height ${height}, and up to height ${record.height()} no block contains it`,
        )
      }
    },
  }
}
