import { CodedError, isCodedError } from '@org/runtime/errors'
import { bytesToHex } from '@org/types/bytes'
import type { CommandContext } from '../context.ts'
import { exists } from '../home/files.ts'
import { openHome } from '../home/open-home.ts'
import { openStores } from '../home/open-stores.ts'

export interface RollbackCommandOptions {
  /** Whether to remove the last block too, and not only the state after this block. */
  readonly hard?: boolean
}

/** Puts `failed to rollback state:` before the text of an error that has a code, as the reference does. */
const failed = (error: unknown): unknown =>
  isCodedError(error)
    ? new CodedError(error.code, `failed to rollback state: ${error.message}`, { data: error.data, cause: error })
    : error

export async function rollback(context: CommandContext, { hard = false }: RollbackCommandOptions): Promise<number> {
  const home = openHome(context)
  const stores = await openStores(home).catch((error: unknown) => Promise.reject(failed(error)))
  try {
    const { rollback: rollBack } = await import('@org/engine/recovery')
    const { loadFilePrivval } = await import('@org/engine/privval')
    const { privValidatorKey: keyFile, privValidatorState: stateFile } = home.paths
    const signer = hard && exists(keyFile) && exists(stateFile) ? loadFilePrivval({ keyFile, stateFile }) : undefined
    const { height, appHash } = await rollBack({ hard }, { ...stores, signer })
    const what = hard ? 'both state and block' : 'state'
    context.out(`Rolled back ${what} to height ${height} and hash ${bytesToHex(appHash)}\n`)
    return 0
  } catch (error) {
    throw failed(error)
  } finally {
    await stores.close()
    home.flush()
  }
}
