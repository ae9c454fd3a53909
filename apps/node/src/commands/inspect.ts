import { createRpcServer } from '@org/rpc/server'
import { createCleanups, createLifecycle } from '@org/runtime'
import { encodeGenesis, parseGenesis } from '@org/types'
import type { CommandContext } from '../context.ts'
import { readText } from '../home/files.ts'
import { type OpenedHome, openHome } from '../home/open-home.ts'
import { type OpenedStores, openStores } from '../home/open-stores.ts'
import { searchLimits } from '../node/engine-options.ts'
import { listeningErrors } from '../node/listening-errors.ts'
import { rpcOptions } from '../node/rpc-options.ts'
import { type Runnable, serve } from '../node/serve.ts'

function genesisText({ paths }: OpenedHome, { stateStore }: OpenedStores, now: bigint): string {
  const stored = stateStore.loadGenesisDoc()
  if (stored !== undefined && stored.length > 0) return new TextDecoder().decode(stored)
  return encodeGenesis(parseGenesis(readText(paths.genesis), now))
}

/** The RPC operations that the reference's inspect command serves. */
const OPERATIONS = [
  ...[
    'blockchain',
    'consensus_params',
    'block',
    'block_by_hash',
    'block_results',
    'commit',
    'header',
    'header_by_hash',
  ],
  ...['validators', 'tx', 'tx_search', 'block_search'],
] as const

/** Serves the stores of a stopped node, read-only. The RPC does not have the operations that need a running node. */
function createInspector(home: OpenedHome, { clock }: CommandContext): Runnable {
  const { config, logger } = home
  const cleanups = createCleanups()
  const { start, stop } = createLifecycle({
    name: 'the inspector',
    start: async () => {
      const stores = await openStores(home)
      cleanups.add(stores.close)
      const { openIndex } = await import('@org/engine')
      const text = genesisText(home, stores, clock.now())
      const search = openIndex(config.txIndex.indexer === 'kv' ? await stores.open('tx_index') : undefined, {
        search: searchLimits(config),
      })
      const height = stores.blockStore.height()
      // After a crash, index entries of the last block may be missing. This command writes nothing, so it does not add
      // these entries.
      if (search.enabled && height > 0 && !search.hasBlock(height)) {
        logger.warn(
          'The last block is not indexed, so searches do not find it; the next start of the node will index it',
          {
            height,
          },
        )
      }
      const ports = { blocks: stores.blockStore, state: stores.stateStore, genesis: { text: () => text }, search }
      logger.info('starting inspect server')
      const options = { ...rpcOptions(config), grpcLaddr: '', operations: OPERATIONS, cacheHeaders: false }
      const rpc = createRpcServer({ ports, options, clock, logger: logger.child('rpc-server') })
      const listener = await listeningErrors(rpc.listen)
      cleanups.add(listener.stop)
    },
    close: cleanups.run,
  })
  return { start, stop, onEnd: () => undefined }
}

export async function inspect(context: CommandContext): Promise<number> {
  const home = openHome(context)
  try {
    return await serve(createInspector(home, context), { ...context, logger: home.logger })
  } finally {
    home.flush()
  }
}
