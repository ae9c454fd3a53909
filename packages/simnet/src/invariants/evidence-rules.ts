import type { Pools } from '@org/engine'
import { type Evidence, evidenceHeight, hashEvidenceItem } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import type { ChainRecord } from './chain-record.ts'
import type { createDoubleSigns } from './double-signs.ts'

/**
 * The number of heights for which evidence may wait for a block. The count is separate for each node. It begins when
 * the node has the evidence, and includes a height only if the node is not behind the chain. A node that is behind may
 * be disconnected, so that it cannot send the evidence.
 */
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
  /** Called when a node has committed a block, after the {@link ChainRecord} has taken the block. */
  readonly committed: (name: string, height: number) => void
  readonly conclude: () => void
}

/** Evidence that nodes have. */
interface Seen {
  /** The height of the double sign. */
  readonly height: number
  /**
   * The key is the name of a node that has the evidence. The value is the number of heights for which this node has
   * waited for a block with the evidence. The comment of {@link EVIDENCE_GRACE} says which heights count.
   */
  readonly waits: Map<string, number>
}

export function createEvidenceRules({ record, doubleSigns, violate }: EvidenceModules): EvidenceRules {
  /** The evidence that nodes have received, by its hash. Evidence that is in a block is removed. */
  const seen = new Map<string, Seen>()

  /** If the node is not behind the chain, adds 1 to the node's count for each evidence that is in no block yet. */
  function committed(name: string, height: number): void {
    if (height < record.height()) return
    for (const [hash, { height: signed, waits }] of seen) {
      const waited = waits.get(name)
      if (record.heightOfEvidence(hash) !== undefined) seen.delete(hash)
      else if (waited !== undefined && height > signed) waits.set(name, waited + 1)
    }
  }

  return {
    watch: (name, pool) => {
      pool.onEvidence((evidence: Evidence) => {
        const hash = bytesToHex(hashEvidenceItem(evidence))
        if (record.heightOfEvidence(hash) !== undefined) return
        const entry = seen.get(hash) ?? { height: evidenceHeight(evidence), waits: new Map<string, number>() }
        if (!entry.waits.has(name)) entry.waits.set(name, 0)
        seen.set(hash, entry)
      })
    },
    committed,
    conclude: () => {
      for (const what of doubleSigns.missingEvidence(record.height(), EVIDENCE_GRACE)) {
        violate(
          'evidence',
          `honest nodes received two signatures of ${what}, and up to height ${record.height()} no block contains evidence of it`,
        )
      }
      for (const [hash, { height, waits }] of seen) {
        if (record.heightOfEvidence(hash) !== undefined) continue
        const late = [...waits].find(([, waited]) => waited >= EVIDENCE_GRACE)
        if (late === undefined) continue
        violate(
          'evidence',
          `${late[0]} has evidence of a double sign at height ${height}, and up to height ${record.height()} no block contains it`,
        )
      }
    },
  }
}
