import { isCodedError } from '@org/runtime/errors'
import type { CommandContext } from '../context.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { HOME_ERRORS } from '../home/errors.ts'
import { openHome } from '../home/open-home.ts'
import { openStores } from '../home/open-stores.ts'
import { createProgress } from '../progress.ts'

export interface ReindexCommandOptions {
  /** The first height to index; 0 means the first stored block. */
  readonly startHeight: string
  /** The last height to index; 0 means the last block. */
  readonly endHeight: string
}

function heightOf(flag: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new CliError(
    CLI_ERRORS.usage,
    `invalid argument ${JSON.stringify(text)} for "--${flag}" flag: a height is expected`,
  )
}

const NO_SINK = 'found null event sink, please check the tx-index section in the config.toml'

/**
 * Prints why the command indexes nothing. As in the reference, the text goes to standard output, and the exit code is
 * 0.
 */
function refuse(context: CommandContext, why: string): undefined {
  context.out(`event re-index failed:  ${why}\n`)
}

/**
 * Returns what `find` returns. If `find` throws an error with the code `code`, returns the message of the error, which
 * the command prints. Any other error is thrown again.
 */
function rangeOf<T>(find: () => T, code: string): T | string {
  try {
    return find()
  } catch (error) {
    if (isCodedError(error, code)) return error.message
    throw error
  }
}

/** Indexes stored blocks again, if the index was lost or was off. */
export async function reindexEvent(context: CommandContext, options: ReindexCommandOptions): Promise<number> {
  const asked = {
    startHeight: heightOf('start-height', options.startHeight),
    endHeight: heightOf('end-height', options.endHeight),
  }
  const home = openHome(context)
  const stores = await openStores(home).catch((error: unknown) => {
    if (isCodedError(error, HOME_ERRORS.noStore)) return refuse(context, error.message)
    throw error
  })
  if (stores === undefined) return 0
  try {
    const { RECOVERY_ERRORS, reindex, reindexRange } = await import('@org/engine/recovery')
    const { createIndexer } = await import('@org/engine/storage')
    if (stores.stateStore.load() === undefined) return refuse(context, 'no state found') ?? 0
    if (asked.startHeight === 0) {
      context.out(`set the start block height to the base height of the blockstore ${stores.blockStore.base()} \n`)
    }
    const range = rangeOf(() => reindexRange(asked, stores.blockStore), RECOVERY_ERRORS.range)
    if (typeof range === 'string') return refuse(context, range) ?? 0
    if (asked.endHeight === 0 || asked.endHeight > range.to) {
      context.out(`set the end block height to the latest height of the blockstore ${range.to} \n`)
    }
    const sink = home.config.txIndex.indexer
    if (sink === 'null') return refuse(context, NO_SINK) ?? 0
    if (sink !== 'kv')
      throw new CliError(
        CLI_ERRORS.notBuilt,
        `tx_index.indexer = "${sink}" is not built in this version of halley: set it to "kv", or use the Go node's command reindex-event`,
      )
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
