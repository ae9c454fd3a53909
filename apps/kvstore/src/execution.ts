import {
  type ExecTxResult,
  MisbehaviorType,
  type RequestFinalizeBlock,
  type ResponseFinalizeBlock,
  type ValidatorUpdate,
} from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { KVSTORE_ERRORS, KvStoreError } from './errors.ts'
import { executedResult, refusedResult } from './results.ts'
import type { Rules } from './rules/index.ts'
import { type AppState, appHashOf, pairKey } from './state.ts'
import type { StorageOp } from './store/index.ts'
import type { ValidatorBook } from './validators.ts'

/** A block that is executed and waits for its commit. */
export interface Staged {
  readonly state: AppState
  readonly updates: readonly ValidatorUpdate[]
  readonly writes: readonly StorageOp[]
  /** The reason why the block cannot be committed; `undefined` if it can be committed. */
  readonly fault: string | undefined
}

interface Modules {
  readonly rules: Rules
  readonly book: ValidatorBook
}

function punishments(misbehavior: RequestFinalizeBlock['misbehavior'], { rules, book }: Modules): ValidatorUpdate[] {
  const updates: ValidatorUpdate[] = []
  for (const { type, validator } of misbehavior) {
    if (type !== MisbehaviorType.duplicateVote) continue
    const known = book.byAddress(validator.address)
    if (known !== undefined) updates.push({ pubKey: known.pubKey, power: validator.power - 1n })
    else if (rules.requiresKnownValidators) {
      const address = bytesToHex(validator.address)
      const message = `wanted to punish validator ${address} but cannot find it`
      throw new KvStoreError(KVSTORE_ERRORS.unknownValidator, message, { data: { address } })
    }
  }
  return updates
}

/** Executes a block on the state `before`. Returns the changes and the response, and writes nothing. */
export function executeBlock(
  request: RequestFinalizeBlock,
  before: AppState,
  modules: Modules,
): { readonly staged: Staged; readonly response: Partial<ResponseFinalizeBlock> } {
  const { rules } = modules
  const updates = punishments(request.misbehavior, modules)
  const writes: StorageOp[] = []
  const txResults: ExecTxResult[] = []
  let { size } = before
  let fault: string | undefined
  for (const tx of request.txs) {
    const action = rules.action(tx)
    if (action.kind === 'invalid') {
      txResults.push(refusedResult(action.reason))
      continue
    }
    if (action.kind === 'validator') updates.push(action.update)
    else if (action.kind === 'pair') writes.push({ type: 'put', key: pairKey(action.key), value: action.value })
    else fault ??= action.reason
    txResults.push(executedResult(action.kind === 'pair' ? action : rules.eventPair(tx)))
    size += 1
  }
  const validatorUpdates = rules.acceptUpdates(updates)
  const state = { size, height: request.height }
  return {
    staged: { state, updates: validatorUpdates, writes, fault },
    response: { txResults, validatorUpdates, appHash: appHashOf(state) },
  }
}
