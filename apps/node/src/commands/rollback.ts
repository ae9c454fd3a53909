import { bytesToHex } from '@org/types/bytes'
import { type CommandContext, openHome } from '../cli/context.ts'
import { openStores } from '../home/open-stores.ts'

export interface RollbackCommandOptions {
  /** Also remove the block. */
  readonly hard?: boolean
}

export async function rollback(context: CommandContext, { hard = false }: RollbackCommandOptions): Promise<number> {
  const home = openHome(context)
  const stores = await openStores(home)
  try {
    const { rollback: rollBack } = await import('@org/engine/recovery')
    const { height, appHash } = await rollBack({ hard }, stores)
    const what = hard ? 'both state and block' : 'state'
    context.out(`Rolled back ${what} to height ${height} and hash ${bytesToHex(appHash)}\n`)
    return 0
  } finally {
    await stores.close()
    home.flush()
  }
}
