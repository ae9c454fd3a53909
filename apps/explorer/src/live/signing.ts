import { equalBytes } from '@org/types/bytes'
import { signal } from '@preact/signals'
import { hexOf } from '../format/bytes.ts'
import { type BlockMeta, blocks } from './chain.ts'
import { client } from './node.ts'

/**
 * How a validator took part in the commit of a block. `missed`: the commit has no vote of the validator. `other`: the
 * commit has no vote of the validator, and the block has another validator set than the newest block. So the validator
 * may not have been in the block's set. `loading`: the page does not have the commit yet.
 */
export type Mark = 'signed' | 'nil' | 'missed' | 'other' | 'loading'

/**
 * The block id flag of each validator's vote in a commit, by the address of the validator in hex. Flag 2 is a vote for
 * the block, and flag 3 is a vote for no block.
 */
type Flags = ReadonlyMap<string, number>

/** A block in the strips of signatures. A strip shows for one validator which of the last blocks it signed. */
export interface Column {
  readonly height: number
  /** The flags in the commit of the block; `undefined` until the commit is loaded. */
  readonly flags: Flags | undefined
  /** Whether the block has the same validator set as the newest block. */
  readonly isCurrent: boolean
}

const AT_ONCE = 8
const NIL = 3

/** The votes in the loaded commits, by the hash of the block in hex. */
const commits = signal<ReadonlyMap<string, Flags>>(new Map())
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

/**
 * Loads the missing commits of the blocks that the page keeps, the newest first. Removes the commits of all other
 * blocks.
 */
export async function loadCommits(): Promise<void> {
  if (isLoading) return
  isLoading = true
  try {
    for (;;) {
      const kept = blocks.value.map(({ blockId, header }) => ({ hash: hexOf(blockId.hash), height: header.height }))
      // The commit of the newest block is not loaded yet, because its signatures may still change. The next block
      // contains the final commit.
      const missing = kept
        .slice(1)
        .filter(({ hash }) => !commits.value.has(hash))
        .slice(0, AT_ONCE)
      if (missing.length === 0) return
      const loaded = await Promise.all(missing.map(async ({ hash, height }) => [hash, await flagsOf(height)] as const))
      const all = new Map([...commits.value, ...loaded])
      commits.value = new Map([...all].filter(([hash]) => kept.some((block) => block.hash === hash)))
    }
  } catch {
    // The page calls this function again at the next block. That call loads the missing commits.
  } finally {
    isLoading = false
  }
}

/**
 * Returns the blocks of `metas` as columns, in the same order. The page shows a strip for each validator. A strip has
 * one mark in each column. The mark shows how the validator took part in the commit of the column's block.
 */
export function columnsOf(metas: readonly BlockMeta[]): readonly Column[] {
  const current = metas[0]?.header.validatorsHash
  return metas.map(({ blockId, header }) => ({
    height: header.height,
    flags: commits.value.get(hexOf(blockId.hash)),
    isCurrent: current !== undefined && equalBytes(current, header.validatorsHash),
  }))
}

/** Returns how a validator took part in the commit of a block. */
export function markOf(address: string, { flags, isCurrent }: Column): Mark {
  if (flags === undefined) return 'loading'
  const flag = flags.get(address)
  if (flag !== undefined) return flag === NIL ? 'nil' : 'signed'
  return isCurrent ? 'missed' : 'other'
}
