import type { MessageSchema } from '@org/types/schema'
import { STORE_ERRORS, StoreError } from './errors.ts'
import type { KeyValueStore } from './kv/index.ts'

/**
 * Reads the message under `key`; `undefined` if the key is missing or its value is empty. Throws `STORE_CORRUPT` if
 * the message cannot be decoded.
 */
export function readMessage<T>(db: KeyValueStore, key: Uint8Array, schema: MessageSchema<T>): T | undefined {
  const bytes = db.get(key)
  if (bytes === undefined || bytes.length === 0) return undefined
  return decodeMessage(bytes, key, schema)
}

/** Decodes the value that is stored under `key`. The key is needed only for the error. */
export function decodeMessage<T>(bytes: Uint8Array, key: Uint8Array, schema: MessageSchema<T>): T {
  try {
    return schema.decode(bytes)
  } catch (cause) {
    throw corrupt(key, `is not a ${schema.typeName}: ${(cause as Error).message}`, cause)
  }
}

export function corrupt(key: Uint8Array, problem: string, cause?: unknown): StoreError {
  const name = new TextDecoder().decode(key)
  return new StoreError(STORE_ERRORS.corrupt, `the value of ${name} ${problem}`, { data: { key: name }, cause })
}
