import { messageOf } from '@org/runtime/errors'
import { hashTx } from '@org/types'
import { ExecTxResult, type ResponseCheckTx } from '@org/types/abci'
import { bytesToBase64 } from '@org/types/bytes'
import { EMPTY_BYTES, NO_ITEMS } from '@org/types/schema'
import { piecesOfList } from '../call/json-slices.ts'
import { optionalInt, tx } from '../call/params.ts'
import { type CallContext, type ContextWith, defineRoute } from '../call/route.ts'
import { RPC_ERRORS, RpcError, refused } from '../errors.ts'
import type { Mempool } from '../ports/index.ts'
import { validatePerPage } from './argument-rules.ts'
import {
  broadcastTxCommitResult,
  broadcastTxResult,
  checkTxResult,
  type ResultBroadcastTx,
  type ResultCheckTx,
  type ResultUnconfirmedTxs,
  unconfirmedTxsResult,
} from './results.ts'

/**
 * Returns the mempool for a new transaction. Throws after a consensus failure, because the transaction would never be
 * in a block. The reference and a strict node do not throw: they accept the transaction.
 */
function openMempool(context: ContextWith<'mempool'>): Mempool {
  const failure = context.options.strict ? undefined : context.ports.consensus?.failure?.()
  if (failure === undefined) return context.ports.mempool
  throw consensusFailed(
    failure,
    ', and it takes no transactions: send this one to another node, or start this node again',
  )
}

function consensusFailed(failure: string, more: string): RpcError {
  const message = `${RPC_ERRORS.consensusFailed}: consensus of this node has failed (${failure})${more}`
  return new RpcError(RPC_ERRORS.consensusFailed, message)
}

export const broadcastTxAsync = defineRoute({
  name: 'broadcast_tx_async',
  isForBlock: true,
  summary: 'Sends a transaction. Returns before the application has checked it.',
  category: 'Tx',
  params: { tx },
  required: ['tx'],
  result: broadcastTxResult,
  needs: ['mempool'],
  handler: async (context, args) => {
    const mempool = openMempool(context)
    const hash = hashTx(args.tx)
    await new Promise<void>((resolve, reject) => {
      const submitted = async (): Promise<unknown> => mempool.checkTx(args.tx, { onSubmitted: resolve, hash })
      submitted().then(() => resolve(), reject)
    })
    return { code: 0, data: EMPTY_BYTES, log: '', codespace: '', hash }
  },
})

export const broadcastTxSync = defineRoute({
  name: 'broadcast_tx_sync',
  isForBlock: true,
  summary: 'Sends a transaction. Returns the result of the check by the application.',
  category: 'Tx',
  params: { tx },
  required: ['tx'],
  result: broadcastTxResult,
  needs: ['mempool'],
  // If the application answers at once, the handler returns no `Promise`: making one would be most of the cost of a
  // transaction.
  handler: (context, args) => {
    const mempool = openMempool(context)
    const hash = hashTx(args.tx)
    const answer = mempool.checkTx(args.tx, { hash })
    const finish = ({ code, data, log, codespace }: ResponseCheckTx): ResultBroadcastTx => ({
      code,
      data,
      log,
      codespace,
      hash,
    })
    return answer instanceof Promise ? answer.then(finish) : finish(answer)
  },
})

const TIMED_OUT = 'timed out waiting for tx to be included in a block'

const WHILE_WAITING =
  ' while the transaction waited for its block: other nodes may still commit it; look for its hash with tx before you send it again'

/**
 * Creates a signal that aborts with the error for the client: when the client disconnects, when the time limit is
 * reached, or when consensus fails. On a strict node, a failure of consensus does not abort the signal.
 */
function waitScope({ signal, clock, options, ports }: CallContext) {
  const controller = new AbortController()
  const caller = signal()
  const onGone = (): void => controller.abort(refused('broadcast confirmation not received: context canceled'))
  if (caller.aborted) onGone()
  else caller.addEventListener('abort', onGone, { once: true })
  let timer: { readonly cancel: () => void } | undefined
  const onFailure = (code: string): void => controller.abort(consensusFailed(code, WHILE_WAITING))
  if (!options.strict) ports.consensus?.onFailure?.(onFailure, controller.signal)
  return {
    signal: controller.signal,
    startTimer: (): void => {
      timer = clock.after(options.timeoutBroadcastTxCommitMs, () => controller.abort(refused(TIMED_OUT)))
    },
    end: (): void => {
      timer?.cancel()
      caller.removeEventListener('abort', onGone)
      controller.abort(refused('the call has ended'))
    },
  }
}

async function checkForCommit(mempool: Mempool, given: Uint8Array, hash: Uint8Array): Promise<ResponseCheckTx> {
  try {
    return await mempool.checkTx(given, { hash })
  } catch (error) {
    throw refused(`error on broadcastTxCommit: ${messageOf(error)}`)
  }
}

export const broadcastTxCommit = defineRoute({
  name: 'broadcast_tx_commit',
  isForBlock: true,
  summary: 'Sends a transaction. Returns when it is committed and indexed.',
  category: 'Tx',
  params: { tx },
  required: ['tx'],
  result: broadcastTxCommitResult,
  needs: ['mempool', 'events'],
  handler: async (context, args) => {
    const mempool = openMempool(context)
    const hash = hashTx(args.tx)
    const scope = waitScope(context)
    const committed = context.ports.events.awaitTx(hash, scope.signal)
    // The promise may reject before any code waits for it. This handler prevents an unhandled rejection.
    committed.catch(() => undefined)
    try {
      const checkTx = await checkForCommit(mempool, args.tx, hash)
      if (checkTx.code !== 0) return { checkTx, txResult: ExecTxResult.create(), hash, height: 0 }
      scope.startTimer()
      const { result, height } = await committed.catch((error: unknown) => {
        if (scope.signal.aborted) throw error
        throw refused(`txSub was canceled (reason: ${messageOf(error)})`)
      })
      return { checkTx, txResult: result, hash, height }
    } finally {
      scope.end()
    }
  },
})

export const checkTx = defineRoute({
  name: 'check_tx',
  summary: 'Checks a transaction with the application, without sending it.',
  category: 'Tx',
  params: { tx },
  required: ['tx'],
  result: checkTxResult,
  needs: ['app'],
  handler: ({ ports }, args): Promise<ResultCheckTx> => ports.app.checkTx(args.tx),
})

/** The number of bytes of transactions from which the list is written in pieces. A smaller list is written at once. */
const SLICED_FROM_BYTES = 64 * 1024

/** Returns the JSON of a large list of transactions in pieces; `undefined` for a small list. */
function unconfirmedPieces(result: ResultUnconfirmedTxs): Iterable<string> | undefined {
  const { txs } = result
  if (txs.reduce((sum, { length }) => sum + length, 0) < SLICED_FROM_BYTES) return undefined
  const empty = unconfirmedTxsResult.stringify({ ...result, txs: [] })
  return piecesOfList(empty, txs, { stringify: (one) => `"${bytesToBase64(one)}"` })
}

export const unconfirmedTxs = defineRoute({
  name: 'unconfirmed_txs',
  summary: 'Transactions in the mempool.',
  category: 'Info',
  params: { limit: optionalInt },
  result: unconfirmedTxsResult,
  needs: ['mempool'],
  pieces: unconfirmedPieces,
  handler: (context, { limit }) => {
    const { mempool } = context.ports
    // The reference returns one transaction more than the client's limit, and a strict node does the same.
    const count = validatePerPage(limit) + (context.options.strict ? 1 : 0)
    const txs = mempool.reapMaxTxs(count).slice(0, count)
    return { nTxs: txs.length, total: mempool.size(), totalBytes: mempool.sizeBytes(), txs }
  },
})

export const numUnconfirmedTxs = defineRoute({
  name: 'num_unconfirmed_txs',
  summary: 'The number of transactions in the mempool.',
  category: 'Info',
  params: {},
  result: unconfirmedTxsResult,
  needs: ['mempool'],
  handler: (context) => {
    const { mempool } = context.ports
    return { nTxs: mempool.size(), total: mempool.size(), totalBytes: mempool.sizeBytes(), txs: NO_ITEMS }
  },
})
