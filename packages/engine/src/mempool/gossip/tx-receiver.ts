import { ACCEPT, ignore, MESSAGE_FAULTS, type Verdict } from '@org/p2p'
import { isCodedError, type Logger, messageOf } from '@org/runtime'
import { MEMPOOL_ERRORS } from '../errors.ts'
import type { TxsMessage } from '../txs-message.ts'
import type { MempoolGossipOptions } from './options.ts'
import type { GossipMempool } from './ports.ts'
import { TURN_PIECE, type TxTurn, type TxWork } from './turns.ts'

/** Gives the mempool the transactions that one peer sends. */
export interface TxReceiver {
  /**
   * Passes the transactions of a message to the mempool. While the returned promise is pending, the node reads no
   * further message from the peer. The promise resolves when all transactions of the message were passed to the
   * mempool. This can take some time, because other peers may have their turns first, or because too many transactions
   * of this peer wait for the application.
   */
  readonly receive: (message: TxsMessage, senderId: number) => Verdict | Promise<Verdict>
}

export interface TxReceiverModules {
  readonly mempool: Pick<GossipMempool, 'offerTx'>
  /** Runs the checks of this peer's transactions when it is the peer's turn. */
  readonly turn: TxTurn
  /**
   * Aborts when the peer disconnects. The peer's transactions that were not passed to the mempool yet are then dropped.
   */
  readonly signal: AbortSignal
  readonly logger: Logger
}

/**
 * The codes of errors that are not logged. Transactions of honest peers often cause these errors, because the errors
 * depend on the state of this node.
 */
const QUIET: readonly string[] = [MEMPOOL_ERRORS.full, MEMPOOL_ERRORS.recheckFull, MEMPOOL_ERRORS.shortOfMemory]

const GONE = ignore(MESSAGE_FAULTS.gone, 'the peer disconnected')

export function createTxReceiver(
  options: Pick<MempoolGossipOptions, 'maxPendingPerPeer'>,
  { mempool, turn, signal, logger }: TxReceiverModules,
): TxReceiver {
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

  /**
   * Returns a promise that resolves when the number of the peer's transactions that wait for the application is below
   * the limit. Returns `undefined` if this number is below the limit now, or if the signal has aborted.
   */
  function whenFewWait(): Promise<void> | undefined {
    if (signal.aborted || pending < options.maxPendingPerPeer) return undefined
    return new Promise((resolve) => {
      resume = resolve
    })
  }

  /**
   * Returns the work that checks the transactions of a message, one piece after the other. The work pauses when too
   * many transactions of the peer wait for the application.
   */
  function workOf(message: TxsMessage, senderId: number): TxWork & { readonly isDone: () => boolean } {
    const txs = message.txs()
    const count = Math.min(message.count, TURN_PIECE)
    let remaining = message.count
    return {
      count,
      isDone: () => remaining <= 0,
      check: () => {
        for (let i = Math.min(remaining, TURN_PIECE); i > 0 && !signal.aborted; i--)
          check(txs.next().value as Uint8Array, senderId)
        remaining -= TURN_PIECE
        return remaining > 0 && !signal.aborted && pending < options.maxPendingPerPeer
      },
    }
  }

  async function receiveInPieces(message: TxsMessage, senderId: number): Promise<Verdict> {
    const work = workOf(message, senderId)
    while (!work.isDone() && !signal.aborted) {
      await turn.run(work)
      await whenFewWait()
    }
    return signal.aborted ? GONE : ACCEPT
  }

  /**
   * Takes the transactions of a message that has at most {@link TURN_PIECE} transactions, as most messages have. If
   * these transactions can be checked immediately, no promise is made.
   */
  function takeAtOnce(message: TxsMessage, senderId: number): Verdict | Promise<Verdict> {
    const taken = turn.run(workOf(message, senderId))
    if (taken === undefined) return whenFewWait()?.then(() => ACCEPT) ?? ACCEPT
    return taken.then(whenFewWait).then(() => (signal.aborted ? GONE : ACCEPT))
  }

  return {
    receive: (message, senderId) =>
      message.count > TURN_PIECE ? receiveInPieces(message, senderId) : takeAtOnce(message, senderId),
  }
}
