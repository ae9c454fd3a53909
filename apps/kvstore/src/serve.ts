import { join } from 'node:path'
import { createAbciServer } from '@org/abci'
import type { Logger } from '@org/runtime'
import { createKvStore, type KvStore } from './kvstore.ts'
import { openKvStore } from './open.ts'
import type { RulesName } from './rules/index.ts'

export interface ServeOptions {
  readonly address: string
  readonly abci: 'socket' | 'grpc'
  /** The folder with `data/kvstore.db`. Default: the state is in memory. */
  readonly home?: string | undefined
  readonly rules: RulesName
  /**
   * The minimum number of heights from one snapshot to the next; 0 for no snapshots. Default: 100, or 0 under the rules
   * `v0.38`.
   */
  readonly snapshotInterval?: number | undefined
}

export interface Serving {
  /**
   * The rules that apply to the state. In one case these are not the requested rules: the state was made under the
   * rules `document`, and the rules `first-equals` are requested. The rules `document` then continue to apply.
   */
  readonly rules: RulesName
  readonly address: string
  readonly stop: () => Promise<void>
}

/**
 * Serves the application until it is stopped. Rejects with a coded error if the state cannot be opened or the address
 * cannot be used.
 */
export async function serve(options: ServeOptions, logger: Logger): Promise<Serving> {
  const { address, abci: kind, home, rules, snapshotInterval: interval } = options
  const common = { rules, logger, ...(interval === undefined ? {} : { snapshots: { interval } }) }
  const app: KvStore =
    home === undefined ? createKvStore(common) : await openKvStore({ ...common, dir: join(home, 'data') })
  const server = createAbciServer({ address, kind }, { app, logger: logger.child('abci') })
  try {
    await server.start()
  } catch (error) {
    await app.close()
    throw error
  }
  return {
    address: server.address(),
    rules: app.rules(),
    stop: async () => {
      await server.stop()
      await app.close()
    },
  }
}
