import { nextTurn } from '@org/runtime'
import { CodedError } from '@org/runtime/errors'
import type { State } from '@org/types'
import { extensionsEnabled } from '../consensus/machine/index.ts'
import type { BlockExecutor } from '../execution/index.ts'
import type { SignatureChecker, SignatureThread } from '../signatures/index.ts'
import { blockTooLarge, maxBlockSize } from './check-block.ts'
import { createLookAhead, type LookAhead, type Pair } from './look-ahead.ts'
import type { BlockPool, PooledBlock } from './pool/index.ts'
import type { VerifiedBlock } from './verify-block.ts'

/**
 * Verifies signatures. If it has a function `help`, block sync calls `help` while it waits for a verification. Each
 * call of `help` verifies some of the signatures on the calling thread.
 */
export type HelpedChecker = Pick<SignatureChecker, 'findInvalid'> & Partial<Pick<SignatureThread, 'help'>>

/** Checks the next block of the pool, and verifies the signatures of the blocks after it in advance. */
export interface PairChecker extends Pick<LookAhead, 'begin' | 'clear'> {
  /**
   * Checks the first block of the pair, and the commit and the extended commit of this block, because peers may have
   * sent invalid data. Throws a coded error for an invalid block. `state` is the state before the first block.
   * `lastCommitIsVerified` is true if the last commit in the first block was verified before.
   */
  readonly check: (
    pair: Pair,
    state: State,
    known: { readonly lastCommitIsVerified: boolean },
  ) => Promise<VerifiedBlock>
}

export interface PairCheckerModules {
  readonly pool: Pick<BlockPool, 'peek'>
  readonly executor: Pick<BlockExecutor, 'validateBlock'>
  readonly signatures: HelpedChecker
  readonly chainId: string
  /** When the signal aborts, this thread stops helping the signature thread. */
  readonly signal: AbortSignal
}

/** Throws a coded error if the extended commit is missing although it is needed, or present although it is not. */
function checkExtension({ block, extCommit }: PooledBlock, state: State): void {
  const { height } = block.header
  const enabled = extensionsEnabled(state, height)
  const present = extCommit !== undefined
  if (present === enabled) return
  throw new CodedError(
    'BLOCKSYNC_BAD_BLOCK',
    `non-nil extended commit must be received iff vote extensions are enabled for its height (height ${height}, non-nil extended commit ${present}, extensions enabled ${enabled})`,
  )
}

export function createPairChecker(modules: PairCheckerModules): PairChecker {
  const { executor, signatures, chainId, signal } = modules
  const lookAhead = createLookAhead(modules.pool, () => ({ chainId, findInvalid: signatures.findInvalid }))

  /**
   * Helps the signature thread until `settled` settles: verifies a few signatures on this thread in each turn of the
   * event loop. Block sync waits for `settled`, so this thread has no other work than to receive messages.
   */
  async function helpUntil(settled: Promise<unknown>): Promise<void> {
    let isSettled = false
    const onSettled = (): void => {
      isSettled = true
    }
    settled.then(onSettled, onSettled)
    await Promise.resolve()
    while (!isSettled && !signal.aborted && signatures.help?.() === true) await nextTurn()
  }

  return {
    begin: lookAhead.begin,
    clear: lookAhead.clear,
    check: async (pair, state, known) => {
      const { blockSize } = pair.first
      if (blockSize > maxBlockSize(state)) throw blockTooLarge(state, blockSize)
      checkExtension(pair.first, state)
      const verification = lookAhead.nextVerification(pair, state.validators)
      if (signatures.help !== undefined) await helpUntil(verification.outcome)
      const outcome = await verification.outcome
      if (outcome instanceof Error) throw outcome
      await executor.validateBlock(state, pair.first.block, { ...known, agreed: { signal } })
      return outcome
    },
  }
}
