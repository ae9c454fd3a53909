import { type Clock, createTurns, type Logger } from '@org/runtime'
import type { Block, ValidatorSet } from '@org/types'
import type { CommitInfo, ResponseFinalizeBlock } from '@org/types/abci'
import { equalBytes } from '@org/types/bytes'
import type { BlockStore, StateStore } from '../../store/index.ts'
import { checkResultCount } from '../commit/commit-actions.ts'
import { createStepRunner, type StepActions } from '../commit/run-steps.ts'
import { REPLAY_STEPS, type ReplayStep } from '../commit/steps.ts'
import { lastCommitInfo } from '../commit-info.ts'
import { stepOrder } from '../errors.ts'
import type { CommitApp } from '../ports.ts'
import { finalizeBlockRequest } from '../requests.ts'
import { appHashMismatch, missingBlock } from './errors.ts'

export interface ReplayRange {
  readonly from: number
  /** The last height to replay. */
  readonly to: number
  readonly initialHeight: number
  readonly onProgress?: ((height: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ReplayModules {
  readonly app: CommitApp
  readonly blockStore: Pick<BlockStore, 'loadBlock'>
  readonly stateStore: Pick<StateStore, 'loadValidators'>
  readonly clock: Clock
  readonly logger: Logger
}

/** Milliseconds after which progress is reported and the event loop gets a turn. */
const TURN_MS = 10

/**
 * Sends blocks to the application again. The chain's state already includes these blocks, so the state does not change.
 * Returns the application's hash after the last block; `undefined` if there was no block.
 */
export async function replayBlocks(range: ReplayRange, modules: ReplayModules): Promise<Uint8Array | undefined> {
  const { app, blockStore, clock, logger } = modules
  const validatorsAt = createValidatorReader(modules.stateStore)
  let appHash: Uint8Array | undefined
  let previous: Block | undefined
  const turns = createTurns(clock, TURN_MS)
  for (let height = range.from; height <= range.to; height++) {
    range.signal?.throwIfAborted()
    const block = blockStore.loadBlock(height)
    if (block === undefined) throw missingBlock(height)
    if (appHash !== undefined && appHash.length > 0 && !equalBytes(appHash, block.header.appHash)) {
      throw appHashMismatch(height - 1, { app: appHash, chain: block.header.appHash })
    }
    logger.debug('Applying block', { height })
    const signers = height === range.initialHeight ? NO_VALIDATORS : validatorsAt(height - 1, previous)
    appHash = await replayBlock(block, lastCommitInfo(block, signers, range.initialHeight), app)
    previous = block
    if (turns.isDue()) {
      range.onProgress?.(height)
      await turns.take()
    }
  }
  if (previous !== undefined) range.onProgress?.(previous.header.height)
  return appHash
}

const runReplaySteps = createStepRunner(REPLAY_STEPS)

/**
 * Performs the steps of the commit that change the application. All other steps of the block were performed before the
 * restart. Returns the application's hash after the block.
 */
async function replayBlock(block: Block, info: CommitInfo, app: CommitApp): Promise<Uint8Array> {
  let response: ResponseFinalizeBlock | undefined
  const actions: StepActions<ReplayStep> = {
    finalize: async () => {
      response = await app.finalizeBlock(finalizeBlockRequest(block, info))
      checkResultCount(block, response)
    },
    'commit-app': async () => {
      await app.commit()
    },
  }
  await runReplaySteps({ actions, earlier: [] }).when('commit-app')
  if (response === undefined) throw stepOrder('the step commit-app was done before the step finalize')
  return response.appHash
}

const NO_VALIDATORS: ValidatorSet = { validators: [], proposer: undefined, totalVotingPower: 0n }

/**
 * Returns a function that returns the validators of a height. It reads them from the store only when the header shows
 * that they changed. The proposer priorities change at each height, but the application does not receive them.
 */
function createValidatorReader({ loadValidators }: Pick<StateStore, 'loadValidators'>) {
  let known: { readonly hash: Uint8Array; readonly set: ValidatorSet } | undefined
  return (height: number, block: Block | undefined): ValidatorSet => {
    const hash = block?.header.validatorsHash
    if (known !== undefined && hash !== undefined && equalBytes(known.hash, hash)) return known.set
    const set = loadValidators(height)
    if (hash !== undefined) known = { hash, set }
    return set
  }
}
