import { type CommandContext, openHome } from '../cli/context.ts'
import { CLI_ERRORS, CliError } from '../cli/errors.ts'
import { openStores } from '../home/open-stores.ts'
import { createProgress } from '../progress.ts'

export interface ReindexCommandOptions {
  /** 0 is the first block that is stored. */
  readonly startHeight: string
  /** 0 is the last. */
  readonly endHeight: string
}

function heightOf(flag: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new CliError(
    CLI_ERRORS.usage,
    `invalid argument ${JSON.stringify(text)} for "--${flag}" flag: a height is expected`,
  )
}

/** Indexes stored blocks again, for an index that was lost or that was off. */
export async function reindexEvent(context: CommandContext, options: ReindexCommandOptions): Promise<number> {
  const asked = {
    startHeight: heightOf('start-height', options.startHeight),
    endHeight: heightOf('end-height', options.endHeight),
  }
  const home = openHome(context)
  if (home.config.txIndex.indexer !== 'kv') {
    throw new CliError(
      CLI_ERRORS.usage,
      `tx_index.indexer is "${home.config.txIndex.indexer}": found no event sink, please check the tx_index section in the config.toml`,
    )
  }
  const stores = await openStores(home)
  try {
    const { reindex, reindexRange } = await import('@org/engine/recovery')
    const { createIndexer } = await import('@org/engine/indexer')
    const range = reindexRange(asked, stores.blockStore)
    if (asked.startHeight === 0) {
      context.out(`set the start block height to the base height of the blockstore ${range.from} \n`)
    }
    if (asked.endHeight === 0 || asked.endHeight > range.to) {
      context.out(`set the end block height to the latest height of the blockstore ${range.to} \n`)
    }
    context.out('start re-indexing events:\n')
    const indexer = createIndexer({}, { db: await stores.open('tx_index') })
    const bar = await createProgress({ title: 'reindex', ...range, visible: context.interactive })
    try {
      await reindex({ ...range, onProgress: bar.at }, { ...stores, indexer })
    } finally {
      bar.end()
    }
    context.out('event re-index finished\n')
    return 0
  } finally {
    await stores.close()
    home.flush()
  }
}
