import { type HomeLock, lockHome } from '../home/lock/index.ts'
import type { OpenedHome } from '../home/open-home.ts'
import { applicationDatabases } from './application.ts'

/**
 * Begins to lock the files that a node in this home opens. Returns `undefined` if the node stores nothing. Taking the
 * locks takes time, and so does loading the engine, so both run at the same time. The code that uses the home awaits
 * the returned promise first.
 */
export function lockNode({ config, paths }: OpenedHome): Promise<HomeLock> | undefined {
  const { dbBackend, proxyApp } = config.base
  if (dbBackend === 'memdb') return undefined
  const locking = lockHome(paths.databases, { create: true, further: applicationDatabases(proxyApp) })
  // This handler prevents an unhandled rejection. The code that awaits the returned promise still receives the error.
  locking.catch(() => undefined)
  return locking
}
