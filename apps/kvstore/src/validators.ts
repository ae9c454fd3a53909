import { ValidatorUpdate } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { addressOf } from '@org/types/crypto'
import { isValidatorKey, validatorKey } from './state.ts'
import type { KeyValueStorage, StorageOp } from './store/index.ts'

/** The validators that the application knows: those of the database, by address. */
export interface ValidatorBook {
  /** Reads them from the database, unless that is done. */
  readonly load: () => Promise<void>
  readonly isLoaded: () => boolean
  readonly byAddress: (address: Uint8Array) => ValidatorUpdate | undefined
  readonly all: () => readonly ValidatorUpdate[]
  /** Follows a change and gives what it writes. Throws on a key of a wrong size. */
  readonly change: (update: ValidatorUpdate) => StorageOp
  /** Forgets what was read. */
  readonly reset: () => void
}

/** The record of a validator: the message behind its length. */
export function decodeValidator(record: Uint8Array): ValidatorUpdate {
  const at = record.findIndex((byte) => byte < 0x80)
  return ValidatorUpdate.decode(record.subarray(at + 1))
}

export function createValidatorBook(store: KeyValueStorage): ValidatorBook {
  const known = new Map<string, ValidatorUpdate>()
  let loaded = false
  const idOf = (update: ValidatorUpdate): string => bytesToHex(addressOf(update.pubKey))

  return {
    load: async () => {
      if (loaded) return
      for await (const [key, value] of store.entries()) {
        if (!isValidatorKey(key)) continue
        const validator = decodeValidator(value)
        known.set(idOf(validator), validator)
      }
      loaded = true
    },
    isLoaded: () => loaded,
    byAddress: (address) => known.get(bytesToHex(address)),
    all: () => [...known.values()],
    change: (update) => {
      const key = validatorKey(update.pubKey.bytes)
      const id = idOf(update)
      if (update.power === 0n) {
        known.delete(id)
        return { type: 'del', key }
      }
      known.set(id, update)
      return { type: 'put', key, value: ValidatorUpdate.encodeDelimited(update) }
    },
    reset: () => {
      known.clear()
      loaded = false
    },
  }
}
