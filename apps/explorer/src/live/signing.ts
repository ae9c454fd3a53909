import { equalBytes } from '@org/types/bytes'
import { signal } from '@preact/signals'
import { hexOf } from '../format/bytes.ts'
import { type BlockMeta, blocks } from './chain.ts'
import { client } from './node.ts'

/** The part of a validator in a commit. `other`: it has no vote, and the block may have had another validator set. */
export type Mark = 'signed' | 'nil' | 'missed' | 'other' | 'loading'

/** The flag of each validator in a commit, by its address in hex. 2: it signed the block. 3: it voted for no block. */
type Flags = ReadonlyMap<string, number>

/** A block in the strips of signatures. */
export interface Column {
  readonly height: number
  /** The flags in the commit of the block; `undefined` until the commit is loaded. */
  readonly flags: Flags | undefined
  /** Whether the block has the same validator set as the newest block. */
  readonly isCurrent: boolean
}

const AT_ONCE = 8
const NIL = 3

/** The commits of blocks by the hash of the block, in hex. */
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

/** Loads the commits of the kept blocks that are missing, the newest first, and removes those of older blocks. */
export async function loadCommits(): Promise<void> {
  if (isLoading) return
  isLoading = true
  try {
    for (;;) {
      const kept = blocks.value.map(({ blockId, header }) => ({ hash: hexOf(blockId.hash), height: header.height }))
      // The commit of the newest block is not loaded, because the next block decides which signatures it has.
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
    // The page tries again at the next block.
  } finally {
    isLoading = false
  }
}

/** The blocks in the strips of signatures, the newest first. */
export function columnsOf(metas: readonly BlockMeta[]): readonly Column[] {
  const current = metas[0]?.header.validatorsHash
  return metas.map(({ blockId, header }) => ({
    height: header.height,
    flags: commits.value.get(hexOf(blockId.hash)),
    isCurrent: current !== undefined && equalBytes(current, header.validatorsHash),
  }))
}

/** Returns the part of a validator in the commit of a block. */
export function markOf(address: string, { flags, isCurrent }: Column): Mark {
  if (flags === undefined) return 'loading'
  const flag = flags.get(address)
  if (flag !== undefined) return flag === NIL ? 'nil' : 'signed'
  return isCurrent ? 'missed' : 'other'
}
