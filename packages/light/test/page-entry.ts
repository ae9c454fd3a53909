/* The code that the test pages load: the store, and functions with which the tests change its database. */

import { isLightFailure, type LightStore } from '../src/index.ts'
import { openBlockDatabase, resultOf } from '../src/indexeddb/database.ts'
import { openIndexedDbLightStore } from '../src/indexeddb/index.ts'
import type { BlockKey, IdbRequest, IndexedDb } from '../src/indexeddb/port.ts'
import { decodeStored, encodeStored } from '../src/store/stored-block.ts'

interface Deletion {
  deleteDatabase(name: string): IdbRequest<unknown>
}

const { indexedDB } = globalThis as unknown as { readonly indexedDB: IndexedDb & Deletion }

const stores: LightStore[] = []

/** Opens a store, and returns a number. The function `call` takes this number to find the store. */
export async function open(options: { readonly chainId: string; readonly name: string }): Promise<number> {
  return stores.push(await openIndexedDbLightStore(options)) - 1
}

export type Method = keyof LightStore
/**
 * An argument or a result that is passed between the test and the page. A block is passed as its stored bytes and its
 * height.
 */
export type Wire = number | null | { readonly height: number; readonly bytes: readonly number[] }
export type Outcome = { readonly value: Wire } | { readonly failure: { readonly code: string; readonly data: object } }

export async function call(store: number, method: Method, argument: Wire): Promise<Outcome> {
  const given =
    argument !== null && typeof argument === 'object'
      ? decodeStored(argument.height, Uint8Array.from(argument.bytes), (reason) => new Error(reason))
      : argument
  try {
    const found = await ((stores[store] as LightStore)[method] as (given: unknown) => Promise<unknown>)(given)
    if (found === undefined || typeof found === 'number') return { value: found ?? null }
    const block = found as Parameters<typeof encodeStored>[0]
    return { value: { height: block.header.height, bytes: [...encodeStored(block)] } }
  } catch (error) {
    if (!isLightFailure(error)) throw error
    return { failure: { code: error.code, data: error.data } }
  }
}

/** Writes values to a database directly, without the functions of the store. */
export async function putRaw(name: string, entries: readonly (readonly [BlockKey, readonly number[] | string])[]) {
  const db = await openBlockDatabase(indexedDB, name)
  await db.write(async (blocks) => {
    for (const [key, value] of entries) {
      blocks.put((typeof value === 'string' ? value : Uint8Array.from(value)) as Uint8Array, key)
    }
  })
  await db.close()
}

/** Removes a database, as a browser does when the user clears the data of a site. */
export async function removeDatabase(name: string): Promise<void> {
  await resultOf(indexedDB.deleteDatabase(name))
}
