import { recordingLines } from '@org/golden'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@org/types/bytes'
import { createMemoryStore, type KeyValueStore, put } from '../../src/store/index.ts'

export type Pairs = readonly (readonly [key: Uint8Array, value: Uint8Array])[]

/** Returns the keys and values of one recorded database. */
export function dumpOf(path: string, db: string): Pairs {
  return recordingLines<{ db: string; key: string; value: string }>(path)
    .filter((line) => line.db === db)
    .map(({ key, value }) => [hexToBytes(key) as Uint8Array, hexToBytes(value) as Uint8Array] as const)
}

export async function storeOf(pairs: Pairs): Promise<KeyValueStore> {
  const store = createMemoryStore()
  await store.write(pairs.map(([key, value]) => put(key, value)))
  return store
}

/** Formats pairs as text, so that a person can read the failure of a comparison. */
export function textOf(pairs: Pairs): string[] {
  return pairs.map(([key, value]) => `${printable(key)} = ${bytesToHex(value)}`)
}

export function printable(key: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(key)
  return /^[\x20-\x7e]*$/.test(text) ? text : `0x${bytesToHex(key)}`
}

export const text = utf8ToBytes
