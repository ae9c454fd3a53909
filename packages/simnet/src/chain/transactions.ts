import type { ChainEvents, Pools } from '@org/engine'
import { hashTx } from '@org/types'
import { checkTextOrBytes } from './arguments.ts'
import type { Chain, TxOutcome } from './chain.ts'
import type { Progress } from './progress.ts'
import type { ReadWriteLock } from './read-write-lock.ts'
import { bytesOf } from './reads.ts'
import { withCaller } from './with-caller.ts'

export interface TransactionsModules extends Progress {
  /** The running engine of the first validator. Throws if the engine has stopped. */
  readonly engine: () => ChainEvents & Pools
  readonly height: () => number
  readonly runShared: ReadWriteLock['runShared']
}

/**
 * Creates the method `broadcast` of a chain. If `automine` is true, the promise of `broadcast` resolves when the
 * transaction is in a block. If `automine` is false, or if CheckTx refuses the transaction, it resolves after CheckTx.
 */
export function createBroadcast(automine: boolean, modules: TransactionsModules): Chain['broadcast'] {
  const { engine, height, runShared, drive, until, runDueWork } = modules

  async function broadcast(given: string | Uint8Array): Promise<TxOutcome> {
    const tx = bytesOf(given)
    const hash = hashTx(tx)
    const check = await drive(engine().mempool.checkTx(tx), 'answer to CheckTx')
    if (check.code !== 0 || !automine) {
      const { code, data, log, info, gasWanted, gasUsed, events, codespace } = check
      return { hash, height: 0, index: 0, code, data, log, info, gasWanted, gasUsed, events, codespace }
    }
    const never = new AbortController().signal
    const { result, ...place } = await drive(engine().txWaiters.wait(hash, never), 'block with the transaction')
    await until(() => height() >= place.height, 'block')
    await runDueWork()
    return { ...result, hash, height: place.height, index: place.index }
  }

  return async (tx) => {
    checkTextOrBytes('broadcast: tx', tx)
    const { stack } = new Error()
    return runShared(() => broadcast(tx)).catch((error: unknown) => {
      throw withCaller(error, stack)
    })
  }
}
