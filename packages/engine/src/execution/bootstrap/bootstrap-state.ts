import { messageOf } from '@org/runtime'
import { type Commit, type State, verifyCommit } from '@org/types'
import { POOLED_SIGNATURES, type SignatureChecker } from '../../signatures/index.ts'
import type { BlockStore, StateStore } from '../../store/index.ts'
import { createStepRunner } from '../commit/run-steps.ts'
import { BOOTSTRAP_ERRORS, BootstrapError } from './errors.ts'
import { BOOTSTRAP_STEPS, type BootstrapStep } from './steps.ts'

/** The proven state after a block, and the commit of that block. */
export interface BootstrapData {
  readonly state: State
  readonly commit: Commit
}

export interface BootstrapModules {
  /** Restores a snapshot into the application. Resolves when the application reports the height and its app hash. */
  readonly restore: () => Promise<BootstrapData>
  readonly chainId: string
  readonly stateStore: Pick<StateStore, 'bootstrap'>
  readonly blockStore: Pick<BlockStore, 'height' | 'saveSeenCommit' | 'markBackfill'>
  /** Verifies the signatures of the commit. Default: `POOLED_SIGNATURES`. */
  readonly signatures?: Pick<SignatureChecker, 'findInvalid'>
  /** Called after each step, so that a test can observe it. The step is done when the returned promise resolves. */
  readonly onStep?: (step: BootstrapStep) => void | Promise<void>
}

/**
 * Restores a snapshot, and records the state and the commit from which the node continues. Resolves with the state when
 * everything is durable. The node then starts as after a restart. If the promise rejects with a `BootstrapError`, the
 * node has saved neither the commit nor the state.
 */
export async function bootstrapState(modules: BootstrapModules): Promise<State> {
  const { restore, chainId, stateStore, blockStore, signatures = POOLED_SIGNATURES, onStep } = modules
  checkEmpty(blockStore)
  let restored: BootstrapData | undefined
  const data = (): BootstrapData => restored as BootstrapData
  const run = createStepRunner<BootstrapStep>(BOOTSTRAP_STEPS)({
    earlier: [],
    actions: {
      'restore-app': async () => {
        const result = await restore()
        await checkData(result, { chainId, signatures })
        restored = result
      },
      'save-seen-commit': () => blockStore.saveSeenCommit(data().commit.height, data().commit),
      'mark-backfill': () => blockStore.markBackfill(data().commit.height),
      'save-state': () => stateStore.bootstrap(data().state),
    },
    onStep,
  })
  await run.when('save-state')
  return data().state
}

function checkEmpty({ height }: Pick<BlockStore, 'height'>): void {
  if (height() === 0) return
  throw new BootstrapError(
    BOOTSTRAP_ERRORS.notEmpty,
    `this home has blocks up to height ${height()}, so it cannot begin from a snapshot. To continue with these blocks, set statesync.enable to false. To begin from a snapshot, remove the blocks (halley reset-state --home <this home>, which keeps the signer's state) and the application's data.`,
    { data: { height: height() } },
  )
}

/**
 * Checks the restored state and the commit before they are saved. The state provider has verified both already. This
 * second check protects against a bug in the state provider.
 */
async function checkData(
  { state, commit }: BootstrapData,
  { chainId, signatures }: { readonly chainId: string; readonly signatures: Pick<SignatureChecker, 'findInvalid'> },
): Promise<void> {
  if (state.chainId !== chainId) {
    const message = `the servers proved a state of the chain ${state.chainId}, but the genesis document is of ${chainId}: correct statesync.rpc_servers or the genesis document`
    throw new BootstrapError(BOOTSTRAP_ERRORS.chain, message, { data: { chainId, found: state.chainId } })
  }
  const { lastBlockHeight: height, lastBlockId: blockId, lastValidators: validators } = state
  try {
    await verifyCommit({ chainId, validators, blockId, height, commit }, signatures.findInvalid)
  } catch (cause) {
    const message = `the commit of the restored height ${height} is invalid (${messageOf(cause)}): replace statesync.rpc_servers by servers that you trust`
    throw new BootstrapError(BOOTSTRAP_ERRORS.commit, message, { cause, data: { height } })
  }
}
