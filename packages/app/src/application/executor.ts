import type { EventAnswer, TxResultAnswer, ValidatorUpdateAnswer } from '@org/abci'
import { utf8ToBytes } from '@org/types/bytes'
import { APP_ERRORS, AppError, CODESPACE, Refusal, refusal, TX_CODES } from '../errors.ts'
import { createOverlay, json, type Overlay, type Table, tableOf } from '../state/index.ts'
import { decodeTransaction, isSignatureValid, type Transaction, toJsonText } from '../transaction/index.ts'
import type { Child, Edit } from '../tree/index.ts'
import { type BlockInfo, type Context, createContext, createGasMeter } from './context.ts'
import { type AppOptions, transactionForm } from './options.ts'
import { reportToStderr } from './report-to-stderr.ts'
import { checkAnswer } from './routes.ts'

/** The table with the number of transactions that each account has made. */
export const nonces: Table<number> = tableOf('$nonce', json<number>())

const DEFAULT_MAX_GAS = 1_000_000

/** A state to which transactions are applied, one after the other. */
export interface Working {
  tree: Child | undefined
  readonly edit: Edit
  readonly block: BlockInfo
  /** The validators that the executed transactions changed. */
  readonly validators: ValidatorUpdateAnswer[]
}

export interface Executor {
  /** Executes a transaction. A refused transaction changes at most the signer's nonce. */
  readonly transaction: (working: Working, bytes: Uint8Array) => TxResultAnswer
  /**
   * Runs a handler that is not part of a transaction, such as the handler of the genesis. Throws the errors of the
   * handler.
   */
  readonly hook: (working: Working, run: (context: Context) => unknown) => readonly EventAnswer[]
}

const OWN_FAULTS: ReadonlySet<string> = new Set([APP_ERRORS.corrupt, APP_ERRORS.locked, APP_ERRORS.storage])

/** Matches the messages of the errors for too little stack and too little memory. */
const NO_ROOM = /call stack|allocation failed/

/**
 * Returns true if the error depends on this machine. Such an error must end the node, because other nodes may execute
 * the same block without the error.
 */
export function isOwnFault(error: unknown): boolean {
  if (error instanceof AppError) return OWN_FAULTS.has(error.code)
  return error instanceof RangeError && NO_ROOM.test(error.message)
}

interface Resolved {
  readonly transaction: Transaction
  readonly perform: (context: Context) => unknown
}

/** Returns the transaction and its handler. Throws a `Refusal`. */
function resolveTransaction(options: AppOptions, bytes: Uint8Array): Resolved {
  const { messages } = options
  const transaction = decodeTransaction(bytes, transactionForm(options))
  const { type, value } = transaction.body
  const route = Object.hasOwn(messages, type) ? messages[type] : undefined
  if (route === undefined) {
    const types = Object.keys(messages).join(', ')
    throw refusal(TX_CODES.unknownType, `no message has the type ${JSON.stringify(type.slice(0, 40))}: ${types}`)
  }
  return { transaction, perform: route.prepare(value) }
}

/** Returns the state with the signer's nonce raised by one. Throws a `Refusal` if the nonce is not the next one. */
function useNonce({ tree, edit }: Working, address: string, nonce: number): Overlay {
  const overlay = createOverlay({ tree, load: edit.load }, () => undefined)
  const wanted = nonces.get(overlay, address) ?? 0
  if (nonce !== wanted) {
    const message = `the nonce is ${nonce}, but the next nonce of the account ${address} is ${wanted}`
    throw refusal(TX_CODES.badNonce, message)
  }
  nonces.set(overlay, address, wanted + 1)
  return overlay
}

/**
 * Verifies the signature and, if the transaction has a nonce, the nonce. Then raises the nonce of the signer in the
 * state. Throws a `Refusal`.
 */
function authenticate(working: Working, transaction: Transaction): void {
  const { signed } = transaction
  if (signed === undefined) return
  const { chainId } = working.block
  if (signed.chainId !== chainId) {
    throw refusal(TX_CODES.badSignature, `the transaction is for chain ${signed.chainId.slice(0, 50)}, not ${chainId}`)
  }
  // The nonce is checked before the signature, because a comparison costs less than the verification of a signature.
  const counted = signed.nonce === undefined ? undefined : useNonce(working, signed.address, signed.nonce)
  if (!isSignatureValid(transaction)) throw refusal(TX_CODES.badSignature, 'the signature is invalid')
  if (counted !== undefined) working.tree = counted.applyTo(working.edit)
}

/** The result of a refused transaction. */
function refusedResult(error: unknown, name: string): TxResultAnswer {
  if (error instanceof Refusal) {
    return { code: error.resultCode, log: error.message, codespace: error.codespace || name }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { code: TX_CODES.failed, log: `the handler failed: ${message}`, codespace: CODESPACE }
}

export function createExecutor(options: AppOptions): Executor {
  const { name = 'app', maxGas = DEFAULT_MAX_GAS, onError = reportToStderr } = options

  function refused(error: unknown, where: string): TxResultAnswer {
    if (isOwnFault(error)) throw error
    if (!(error instanceof Refusal)) onError(error, where)
    return refusedResult(error, name)
  }

  return {
    transaction: (working, bytes) => {
      let resolved: Resolved
      try {
        resolved = resolveTransaction(options, bytes)
        authenticate(working, resolved.transaction)
      } catch (error) {
        return refused(error, 'a schema')
      }
      const { body, signed } = resolved.transaction
      const limit = Math.min(body.gas ?? maxGas, maxGas)
      const gas = createGasMeter(limit)
      try {
        gas.use(bytes.length)
        const overlay = createOverlay({ tree: working.tree, load: working.edit.load }, gas.meter)
        const signer = signed?.address ?? ''
        const { context, events, validators } = createContext({ block: working.block, state: overlay, gas, signer })
        const answer = resolved.perform(context)
        checkAnswer(answer, `the message ${body.type}`)
        const data = answer === undefined ? new Uint8Array(0) : utf8ToBytes(toJsonText(answer))
        gas.use(data.length)
        working.tree = overlay.applyTo(working.edit)
        for (const update of validators) working.validators.push(update)
        return { code: TX_CODES.ok, data, events, gasWanted: limit, gasUsed: gas.used() }
      } catch (error) {
        return { ...refused(error, `the message ${body.type}`), gasWanted: limit, gasUsed: gas.used() }
      }
    },
    hook: (working, run) => {
      const gas = createGasMeter(Number.MAX_SAFE_INTEGER)
      const overlay = createOverlay({ tree: working.tree, load: working.edit.load }, gas.meter)
      const { context, events, validators } = createContext({ block: working.block, state: overlay, gas, signer: '' })
      checkAnswer(run(context), 'a handler of a block')
      working.tree = overlay.applyTo(working.edit)
      for (const update of validators) working.validators.push(update)
      return events
    },
  }
}
