import { ACCEPT, ignore, reject, type Verdict } from '@org/p2p'
import { isCodedError, type Logger, messageOf } from '@org/runtime'
import { MEMPOOL_ERRORS } from '../errors.ts'
import { openTxsMessage, type TxsMessage } from '../txs-message.ts'
import type { MempoolGossipOptions } from './options.ts'
import type { GossipMempool } from './ports.ts'
import { TURN_PIECE, type TxTurns } from './turns.ts'

/** Takes the transactions that one peer tells. */
export interface TakeTxs {
  /**
   * The promise holds the peer back: while other peers have their turns, and while too many of its transactions wait for the
   * application.
   */
  readonly receive: (bytes: Uint8Array, senderId: number) => Verdict | Promise<Verdict>
  /** The peer is gone: the rest of its message is dropped. */
  readonly stop: () => void
}

export interface TakeTxsModules {
  readonly mempool: Pick<GossipMempool, 'offerTx'>
  readonly turns: TxTurns
  readonly logger: Logger
}

/** Honest peers run into these by chance, and often. */
const QUIET: readonly string[] = [MEMPOOL_ERRORS.full, MEMPOOL_ERRORS.recheckFull, MEMPOOL_ERRORS.shortOfMemory]

export function createTakeTxs(
  options: Pick<MempoolGossipOptions, 'maxTxBytes' | 'maxBatchBytes' | 'maxPendingPerPeer'>,
  { mempool, turns, logger }: TakeTxsModules,
): TakeTxs {
  let pending = 0
  let resume: (() => void) | undefined
  let stopped = false

  function wakeUp(): void {
    resume?.()
    resume = undefined
  }

  function settled(error?: unknown): void {
    pending--
    if (pending < options.maxPendingPerPeer) wakeUp()
    if (error === undefined || (isCodedError(error) && QUIET.includes(error.code))) return
    logger.info('Could not check tx', { err: messageOf(error) })
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

  /** Resolves when fewer transactions of the peer wait for the application; `undefined` if few do. */
  function whenFewWait(): Promise<void> | undefined {
    if (stopped || pending < options.maxPendingPerPeer) return undefined
    return new Promise((resolve) => {
      resume = resolve
    })
  }

  /** Checks the next transactions in one go. */
  function checkPiece(txs: Iterator<Uint8Array>, count: number, senderId: number): void {
    for (let i = 0; i < count; i++) {
      const next = txs.next()
      if (next.done === true) return
      check(next.value, senderId)
    }
  }

  async function takeInTurns(message: TxsMessage, senderId: number): Promise<Verdict> {
    const txs = message.txs()
    for (let left = message.count; left > 0; left -= TURN_PIECE) {
      const count = Math.min(left, TURN_PIECE)
      await turns.take(count)
      if (stopped) return ignore('the peer is gone')
      checkPiece(txs, count, senderId)
      await whenFewWait()
    }
    return stopped ? ignore('the peer is gone') : ACCEPT
  }

  return {
    receive: (bytes, senderId) => {
      let message: TxsMessage
      try {
        message = openTxsMessage(bytes, options)
      } catch (error) {
        return reject((error as Error).message)
      }
      // The usual message is short and needs no promise.
      const { count } = message
      if (count > TURN_PIECE) return takeInTurns(message, senderId)
      const turn = turns.take(count)
      if (turn !== undefined) return turn.then(() => takeShort(message, senderId))
      return takeShort(message, senderId)
    },
    stop: () => {
      stopped = true
      wakeUp()
    },
  }

  function takeShort(message: TxsMessage, senderId: number): Verdict | Promise<Verdict> {
    if (stopped) return ignore('the peer is gone')
    checkPiece(message.txs(), message.count, senderId)
    return whenFewWait()?.then(() => ACCEPT) ?? ACCEPT
  }
}
