import { equalBytes } from '@org/types/bytes'
import { signal } from '@preact/signals'
import { hexOf } from '../format/bytes.ts'
import { type BlockMeta, blocks } from './chain.ts'
import { client } from './node.ts'

/** The part of a validator in a commit. `other`: the block may have had another validator set. */
export type Mark = 'signed' | 'nil' | 'missed' | 'other' | 'loading'

/** For each kept block, the flags of its commit by the address of the validator; 2: signed, 3: nil. */
type Flags = ReadonlyMap<string, number>

const AT_ONCE = 8
const NIL = 3

/** The commits of blocks by the hash of the block, in hex. */
export const commits = signal<ReadonlyMap<string, Flags>>(new Map())
let isLoading = false

async function flagsOf(height: number): Promise<Flags> {
  const found = await client.commit({ height })
  const signatures = found?.signedHeader.commit?.signatures ?? []
  return new Map(
    signatures.flatMap(({ blockIdFlag, validatorAddress }) =>
      validatorAddress.length === 0 ? [] : [[hexOf(validatorAddress), blockIdFlag] as const],
    ),
  )
}

/** Loads the commits of the kept blocks that are missing, the newest first, and forgets those of older blocks. */
export async function loadCommits(): Promise<void> {
  if (isLoading) return
  isLoading = true
  try {
    for (;;) {
      const kept = blocks.value
      const known = commits.value
      // The next block decides which signatures the commit of the newest block has.
      const missing = kept
        .slice(1)
        .filter(({ blockId }) => !known.has(hexOf(blockId.hash)))
        .slice(0, AT_ONCE)
      if (missing.length === 0) return
      const loaded = await Promise.all(
        missing.map(async ({ blockId, header }) => [hexOf(blockId.hash), await flagsOf(header.height)] as const),
      )
      const all = new Map([...known, ...loaded])
      commits.value = new Map(
        kept.flatMap(({ blockId }) => {
          const hash = hexOf(blockId.hash)
          const flags = all.get(hash)
          return flags === undefined ? [] : [[hash, flags] as const]
        }),
      )
    }
  } catch {
    // The next block tries again.
  } finally {
    isLoading = false
  }
}

/** The part of a validator in the commit of a kept block. `current` is the hash of the validator set of today. */
export function markOf(address: string, block: BlockMeta, current: Uint8Array | undefined): Mark {
  const flags = commits.value.get(hexOf(block.blockId.hash))
  if (flags === undefined) return 'loading'
  const flag = flags.get(address)
  if (flag !== undefined) return flag === NIL ? 'nil' : 'signed'
  return current !== undefined && equalBytes(current, block.header.validatorsHash) ? 'missed' : 'other'
}
