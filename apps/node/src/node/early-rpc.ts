import type { JoiningPeers, RestoreStart } from '@org/engine'
import { createPreparing } from '@org/node-rpc'
import type { AddressBook } from '@org/p2p'
import { createPreparingServer, type RpcListener } from '@org/rpc/server'
import type { Clock } from '@org/runtime'
import type { OpenedHome } from '../home/open-home.ts'
import { clientShares, type MemoryLimits } from '../memory/shares.ts'
import { progressText } from '../statesync/progress-text.ts'
import { siteOf } from './explorer.ts'
import { listeningErrors } from './listening-errors.ts'
import { rpcOptions } from './rpc-options.ts'

export interface EarlyRpcFacts {
  readonly start: RestoreStart
  readonly joining: JoiningPeers
  readonly book: AddressBook
}

/**
 * The RPC that is open while a snapshot is restored. It answers `/livez`, `/readyz` and requests for data about the
 * node. Its answers contain no data of the application.
 */
export interface EarlyRpc {
  readonly open: (facts: EarlyRpcFacts) => Promise<void>
  /** Closes the RPC, so that its addresses are free. Does nothing if the RPC was not opened. */
  readonly close: () => Promise<void>
}

export function createEarlyRpc({ config, logger }: OpenedHome, limits: MemoryLimits, clock: Clock): EarlyRpc {
  let listener: RpcListener | undefined
  return {
    open: async ({ start, joining, book }) => {
      if (config.rpc.laddr === '') return
      const progress = (): string => progressText(joining.progress(), joining.peers.peers().length)
      const rpc = createPreparingServer({
        preparing: createPreparing(
          { externalAddress: config.p2p.externalAddress },
          { start, joining, book, progress, clock },
        ),
        options: { ...rpcOptions(config), ...clientShares(limits, config), grpcLaddr: '' },
        ...siteOf(config),
        clock,
        logger: logger.child('rpc-server'),
        metrics: start.metrics,
      })
      listener = await listeningErrors(rpc.listen)
    },
    close: async () => {
      const open = listener
      listener = undefined
      await open?.stop()
    },
  }
}
