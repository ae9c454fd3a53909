import type { OpenedHome } from '../cli/context.ts'
import { type HomeLock, lockHome } from '../home/lock/index.ts'
import { applicationDatabases } from './application.ts'

/**
 * Begins to lock what a node in this home opens; `undefined` if it keeps nothing. Taking the locks and loading the engine both
 * take a while, so they go together: whoever uses the home awaits the result.
 */
export function lockNode({ config, paths }: OpenedHome): Promise<HomeLock> | undefined {
  const { dbBackend, proxyApp } = config.base
  if (dbBackend === 'memdb') return undefined
  const locking = lockHome(paths.databases, { create: true, further: applicationDatabases(proxyApp) })
  // A failure is told when the result is awaited.
  locking.catch(() => undefined)
  return locking
}
