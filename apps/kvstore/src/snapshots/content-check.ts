import { compareBytes, equalBytes } from '@org/types/bytes'
import { addressOf } from '@org/types/crypto'
import { badSnapshot } from '../errors.ts'
import { decodeMeta } from '../meta.ts'
import { mayOpen, type RulesName } from '../rules/index.ts'
import {
  type AppState,
  appHashOf,
  decodeState,
  isPairKey,
  isValidatorKey,
  META_KEY,
  STATE_KEY,
  validatorKey,
} from '../state.ts'
import { decodeValidator } from '../validators.ts'
import type { Pair } from './pair-reader.ts'

/**
 * The maximum size, in bytes, of each of two records: the record of the state, and the record that names the rules
 * for transactions.
 */
const MAX_RECORD_BYTES = 4096

/** Checks the pairs of a snapshot while they arrive. Both methods throw an error for invalid content. */
export interface ContentCheck {
  readonly take: (pair: Pair) => void
  /** Checks that all pairs together are the state with this height and application hash. */
  readonly end: (wanted: { readonly height: number; readonly appHash: Uint8Array }) => void
}

function checkValidator({ key, value }: Pair): void {
  const update = decodeValidator(value)
  addressOf(update.pubKey)
  if (update.power <= 0n || !equalBytes(validatorKey(update.pubKey.bytes), key)) {
    throw badSnapshot('the record of a validator is stored under a wrong key, or the power is not above 0')
  }
}

export function createContentCheck(rules: RulesName): ContentCheck {
  let lastKey: Uint8Array | undefined
  let state: AppState | undefined
  let hasMeta = false

  function checkRecord({ key, value }: Pair): void {
    if (isPairKey(key)) return
    if (isValidatorKey(key)) {
      checkValidator({ key, value })
      return
    }
    if (value.length > MAX_RECORD_BYTES)
      throw badSnapshot(`a record has ${value.length} bytes, and at most ${MAX_RECORD_BYTES} are allowed`)
    if (equalBytes(key, STATE_KEY)) state = decodeState(value)
    else if (equalBytes(key, META_KEY)) {
      hasMeta = true
      const used = decodeMeta(value).rules
      if (!mayOpen(used, rules))
        throw badSnapshot(`the state was made under the rules ${used}, and this application has the rules ${rules}`)
    } else throw badSnapshot('a record has an unknown key')
  }

  return {
    take: (pair) => {
      if (lastKey !== undefined && compareBytes(lastKey, pair.key) >= 0)
        throw badSnapshot('the keys are not in ascending order')
      checkRecord(pair)
      lastKey = pair.key.slice()
    },
    end: ({ height, appHash }) => {
      if (!hasMeta || state === undefined)
        throw badSnapshot('the record of the height or the record of the rules is missing')
      if (state.height !== height) throw badSnapshot(`the state has height ${state.height}, not ${height}`)
      if (!equalBytes(appHashOf(state), appHash)) throw badSnapshot('the state does not have the announced app hash')
    },
  }
}
