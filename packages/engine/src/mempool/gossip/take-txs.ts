import { ACCEPT, ignore, MESSAGE_FAULTS, type Verdict } from '@org/p2p'
import { isCodedError, type Logger, messageOf } from '@org/runtime'
import { MEMPOOL_ERRORS } from '../errors.ts'
import type { TxsMessage } from '../txs-message.ts'
import type { MempoolGossipOptions } from './options.ts'
import type { GossipMempool } from './ports.ts'
import { TURN_PIECE, type TxTurn, type TxWork } from './turns.ts'

/** Takes the transactions that one peer sends. */
export interface TakeTxs {
  /**
   * The peer is not read while the promise is pending: during the turns of other peers, and while too many transactions
   * of this peer wait for the application.
   */
  readonly receive: (message: TxsMessage, senderId: number) => Verdict | Promise<Verdict>
}

export interface TakeTxsModules {
  readonly mempool: Pick<GossipMempool, 'offerTx'>
  /** The turn of this peer among all peers. */
  readonly turn: TxTurn
  /** Aborts when the peer is gone: the rest of its message is dropped. */
  readonly signal: AbortSignal
  readonly logger: Logger
}

/** Honest peers cause these errors often and by chance, so they are not logged. */
const QUIET: readonly string[] = [MEMPOOL_ERRORS.full, MEMPOOL_ERRORS.recheckFull, MEMPOOL_ERRORS.shortOfMemory]

const GONE = ignore(MESSAGE_FAULTS.gone, 'the peer disconnected')

export function createTakeTxs(
  options: Pick<MempoolGossipOptions, 'maxPendingPerPeer'>,
  { mempool, turn, signal, logger }: TakeTxsModules,
): TakeTxs {
  let pending = 0
  let resume: (() => void) | undefined

  function wakeUp(): void {
    resume?.()
    resume = undefined
  }
  signal.addEventListener('abort', wakeUp, { once: true })

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

  /** Resolves when fewer transactions of the peer wait for the application; `undefined` if few wait now. */
  function whenFewWait(): Promise<void> | undefined {
    if (signal.aborted || pending < options.maxPendingPerPeer) return undefined
    return new Promise((resolve) => {
      resume = resolve
    })
  }

  /** The transactions of a message, as work in pieces that ends when too many of them wait for the application. */
  function workOf(message: TxsMessage, senderId: number): TxWork & { readonly isDone: () => boolean } {
    const txs = message.txs()
    const count = Math.min(message.count, TURN_PIECE)
    let left = message.count
    return {
      count,
      isDone: () => left <= 0,
      check: () => {
        for (let i = Math.min(left, TURN_PIECE); i > 0 && !signal.aborted; i--)
          check(txs.next().value as Uint8Array, senderId)
        left -= TURN_PIECE
        return left > 0 && !signal.aborted && pending < options.maxPendingPerPeer
      },
    }
  }

  async function takeInPieces(message: TxsMessage, senderId: number): Promise<Verdict> {
    const work = workOf(message, senderId)
    while (!work.isDone() && !signal.aborted) {
      await turn.take(work)
      await whenFewWait()
    }
    return signal.aborted ? GONE : ACCEPT
  }

  /** Takes a message of one piece. The usual message is short and needs no promise. */
  function takeAtOnce(message: TxsMessage, senderId: number): Verdict | Promise<Verdict> {
    const taken = turn.take(workOf(message, senderId))
    if (taken === undefined) return whenFewWait()?.then(() => ACCEPT) ?? ACCEPT
    return taken.then(whenFewWait).then(() => (signal.aborted ? GONE : ACCEPT))
  }

  return {
    receive: (message, senderId) =>
      message.count > TURN_PIECE ? takeInPieces(message, senderId) : takeAtOnce(message, senderId),
  }
}
