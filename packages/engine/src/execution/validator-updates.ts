import { type ConsensusParams, createValidator, type Validator } from '@org/types'
import type { ValidatorUpdate } from '@org/types/abci'
import { EXECUTION_ERRORS, ExecutionError } from './errors.ts'

function fail(message: string): ExecutionError {
  return new ExecutionError(EXECUTION_ERRORS.validatorUpdates, message)
}

/** Converts the application's validator updates to validators. Throws if a power or a key type is not allowed. */
export function validatorsFromUpdates(updates: readonly ValidatorUpdate[], params?: ConsensusParams): Validator[] {
  return updates.map((update) => {
    const key = update.pubKey
    const value = `${key?.type ?? 'nil'} ${update.power}`
    if (update.power < 0n) throw fail(`voting power can't be negative ${value}`)
    if (key === undefined) throw fail('fromproto: key type <nil> is not supported')
    if (params !== undefined && update.power > 0n && !params.validator.pubKeyTypes.includes(key.type)) {
      throw fail(`validator ${value} is using pubkey ${key.type}, which is unsupported for consensus`)
    }
    return createValidator(key, update.power)
  })
}
