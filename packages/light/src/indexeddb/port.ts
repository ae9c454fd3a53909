/*
 * The types of the parts of IndexedDB that the store uses. TypeScript's DOM types are not used, because they would make
 * all names of a browser visible in every file of the package.
 */

export type BlockKey = readonly [chainId: string, height: number]

export interface IdbRequest<T> {
  readonly result: T
  readonly error: unknown
  onsuccess: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
}

export interface IdbCursor {
  readonly key: unknown
  readonly value?: unknown
}

export interface IdbObjectStore {
  put(value: Uint8Array, key: BlockKey): unknown
  delete(range: unknown): unknown
  get(key: BlockKey): IdbRequest<unknown>
  count(range: unknown): IdbRequest<number>
  getAllKeys(range: unknown, count: number): IdbRequest<readonly unknown[]>
  openCursor(range: unknown, direction: 'next' | 'prev'): IdbRequest<IdbCursor | null>
  openKeyCursor(range: unknown, direction: 'next' | 'prev'): IdbRequest<IdbCursor | null>
}

export interface IdbTransaction {
  readonly error: unknown
  objectStore(name: string): IdbObjectStore
  abort(): void
  oncomplete: ((event: never) => void) | null
  onabort: ((event: never) => void) | null
}

export interface IdbDatabase {
  transaction(
    name: string,
    mode: 'readonly' | 'readwrite',
    options: { readonly durability: 'strict' | 'default' },
  ): IdbTransaction
  createObjectStore(name: string): unknown
  close(): void
  onversionchange: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
}

export interface IdbOpenRequest extends IdbRequest<IdbDatabase> {
  onupgradeneeded: ((event: never) => void) | null
}

/** `globalThis.indexedDB` of a browser. */
export interface IndexedDb {
  open(name: string, version: number): IdbOpenRequest
}

/** `globalThis.IDBKeyRange` of a browser. */
export interface KeyRanges {
  bound(lower: unknown, upper: unknown, lowerOpen: boolean, upperOpen: boolean): unknown
}
