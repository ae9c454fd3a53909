import { ACCEPT, reject, type Verdict } from '@org/p2p'
import { isCodedError, type Logger, messageOf } from '@org/runtime'
import { Message } from '@org/types/mempool'
import { MEMPOOL_ERRORS } from '../errors.ts'
import { checkTxsMessage } from '../txs-message.ts'
import type { MempoolGossipOptions } from './options.ts'
import type { GossipMempool } from './ports.ts'

/** Takes what one peer tells. A promise holds the peer back while too many of its transactions wait for the application. */
export interface TakeTxs {
  readonly receive: (bytes: Uint8Array, senderId: number) => Verdict | Promise<Verdict>
}

/** These are a matter of luck among honest peers, and too many to speak of. */
const QUIET: readonly string[] = [MEMPOOL_ERRORS.full, MEMPOOL_ERRORS.recheckFull]

export function createTakeTxs(
  options: Pick<MempoolGossipOptions, 'maxTxBytes' | 'maxBatchBytes' | 'maxPendingPerPeer'>,
  { mempool, logger }: { readonly mempool: Pick<GossipMempool, 'offerTx'>; readonly logger: Logger },
): TakeTxs {
  let pending = 0
  let resume: (() => void) | undefined

  function settled(error?: unknown): void {
    pending--
    if (pending < options.maxPendingPerPeer) resume?.()
    if (error === undefined || (isCodedError(error) && QUIET.includes(error.code))) return
    logger.info('Could not check tx', { err: messageOf(error) })
  }

  function decode(bytes: Uint8Array): readonly Uint8Array[] | Verdict {
    try {
      checkTxsMessage(bytes, options)
      const { sum } = Message.decode(bytes)
      return sum?.value.txs ?? []
    } catch (error) {
      return reject((error as Error).message)
    }
  }

  function check(tx: Uint8Array, senderId: number): void {
    pending++
    try {
      const answer = mempool.offerTx(tx, { senderId })
      if (answer instanceof Promise) answer.then(() => settled(), settled)
      else settled()
    } catch (error) {
      settled(error)
    }
  }

  return {
    receive: (bytes, senderId) => {
      const txs = decode(bytes)
      if ('type' in txs) return txs
      for (const tx of txs) check(tx, senderId)
      if (pending < options.maxPendingPerPeer) return ACCEPT
      return new Promise((resolve) => {
        resume = () => resolve(ACCEPT)
      })
    },
  }
}
