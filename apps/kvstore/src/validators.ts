import { ValidatorUpdate } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { addressOf } from '@org/types/crypto'
import { isValidatorKey, VALIDATOR_PREFIX, validatorKey } from './state.ts'
import type { KeyValueStorage, StorageOp } from './store/index.ts'

/** The validators in the application's database, by their address. */
export interface ValidatorBook {
  /** Reads the validators from the database, if they have not been read yet. */
  readonly load: () => Promise<void>
  readonly isLoaded: () => boolean
  readonly byAddress: (address: Uint8Array) => ValidatorUpdate | undefined
  readonly all: () => readonly ValidatorUpdate[]
  /**
   * Applies a change to the validators. Returns the operation that writes the change to the database. Throws if the key
   * has a wrong size.
   */
  readonly change: (update: ValidatorUpdate) => StorageOp
  /** Drops the validators that were read, so that `load` reads them from the database again. */
  readonly reset: () => void
}

/** Decodes the record of a validator: the length of an encoded `ValidatorUpdate`, and then its bytes. */
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
      for await (const [key, value] of store.entries(VALIDATOR_PREFIX)) {
        if (!isValidatorKey(key)) break
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
