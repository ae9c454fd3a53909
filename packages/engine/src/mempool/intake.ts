import type { ResponseCheckTx } from '@org/types/abci'
import type { Admission } from './admission.ts'
import type { TxOrigin } from './mempool.ts'
import type { MempoolOptions } from './options.ts'
import type { UpdateLock } from './update-lock.ts'

interface IntakeModules {
  readonly updateLock: UpdateLock
  readonly admit: Admission['admit']
  /** Returns the error for a transaction that is refused because too many transactions wait. */
  readonly fullError: () => Error
}

/** Passes new transactions to the checks. While a block is being committed, transactions wait, up to a limit. */
export interface Intake {
  /**
   * Checks a transaction as soon as no block is being committed. Returns the application's answer, or the result of
   * `onSeen` if the transaction was seen before.
   */
  readonly submitTx: <T>(
    tx: Uint8Array,
    origin: TxOrigin,
    onSeen: () => T,
  ) => ResponseCheckTx | T | Promise<ResponseCheckTx | T>
  /** Runs the work as soon as no block is being committed. */
  readonly whenFree: <T>(work: () => T | Promise<T>) => Promise<T>
}

export function createIntake(
  options: Pick<MempoolOptions, 'maxPending' | 'maxPendingBytes'>,
  { updateLock, admit, fullError }: IntakeModules,
): Intake {
  /** The total number of bytes of the transactions that wait for the end of a commit. */
  let waitingBytes = 0

  function whenFree<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      updateLock.whenFree(() => {
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
      })
    })
  }

  function submitTx<T>(
    tx: Uint8Array,
    origin: TxOrigin,
    onSeen: () => T,
  ): ResponseCheckTx | T | Promise<ResponseCheckTx | T> {
    const submit = (): ResponseCheckTx | T | Promise<ResponseCheckTx> => {
      const answer = admit(tx, origin)
      if (answer === undefined) return onSeen()
      origin.onSubmitted?.()
      return answer
    }
    if (updateLock.isFree()) return submit()
    if (updateLock.waiting() >= options.maxPending || waitingBytes + tx.length > options.maxPendingBytes) {
      throw fullError()
    }
    waitingBytes += tx.length
    return whenFree(() => {
      waitingBytes -= tx.length
      return submit()
    })
  }

  return { submitTx, whenFree }
}
