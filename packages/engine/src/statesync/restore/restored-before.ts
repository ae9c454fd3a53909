import { type Logger, unlessAborted } from '@org/runtime'
import { equalBytes } from '@org/types/bytes'
import { appInfo } from './app-calls.ts'
import type { Restored, RestoringApp, StateProvider } from './ports.ts'
import { type ProofLimits, prove, proveChain } from './prove.ts'

export interface RestoredBeforeModules {
  readonly app: Pick<RestoringApp, 'info'>
  readonly provider: StateProvider
  readonly logger: Logger
  readonly limits: ProofLimits
}

/**
 * Checks whether the application has already restored a snapshot, and this node crashed before it stored the state.
 * This is the case if the application's app hash is the chain's app hash at the application's height. If so, returns
 * the state of this height, and the node continues from it, because many applications refuse a second restore.
 * Otherwise returns `undefined`.
 */
export async function restoredBefore(modules: RestoredBeforeModules): Promise<Restored | undefined> {
  const { app, provider, logger, limits } = modules
  const info = await unlessAborted(appInfo(app), limits.signal)
  const height = info.lastBlockHeight
  if (height <= 0) return undefined
  const appHash = await prove(limits, (signal) => provider.appHash(height, signal))
  if (!appHash.isProven || !equalBytes(appHash.value, info.lastBlockAppHash)) return undefined
  const chain = await proveChain(limits, provider, { height, appHash: appHash.value })
  if (!chain.isProven || chain.value.state.version.consensus.app !== info.appVersion) return undefined
  logger.info('The application has restored a snapshot already', { height })
  return chain.value
}
