import { LIGHT_ERRORS, LightError, lightError, type StoreFault } from '../errors.ts'

/** Maps the names of the browser's exceptions to the faults of the store. */
const FAULTS: Readonly<Record<string, StoreFault>> = {
  QuotaExceededError: 'full',
  SecurityError: 'denied',
  NotAllowedError: 'denied',
  InvalidStateError: 'closed',
  DataError: 'corrupt',
  NotFoundError: 'corrupt',
  VersionError: 'corrupt',
}

const ADVICE: Readonly<Record<StoreFault, string>> = {
  locked: 'another page uses this database: close it first',
  full: 'the browser gives this site no more storage: remove other data of the site',
  denied:
    'allow the site to store data, or use createMemoryLightStore, which keeps the blocks only until the page is closed',
  corrupt: 'choose another database name, and begin with a height and hash that you trust',
  closed: 'the database is closed, or the data of the site was removed: open the store again',
  io: 'try again, or use createMemoryLightStore, which keeps the blocks only until the page is closed',
}

export interface StoreFailure {
  readonly fault: StoreFault
  readonly reason: string
  readonly cause?: unknown
}

export function storeFailure(name: string, { fault, reason, cause }: StoreFailure): LightError {
  const message = `the light store ${name} failed: ${reason}: ${ADVICE[fault]}`
  return lightError(LIGHT_ERRORS.store, message, { data: { path: name, fault }, cause })
}

/** Converts exceptions of IndexedDB to coded errors by their names. */
export function toStoreFailure(name: string, error: unknown): LightError {
  if (error instanceof LightError) return error
  const { name: kind = '', message } = (error ?? {}) as { readonly name?: string; readonly message?: string }
  const reason = [kind, message].filter(Boolean).join(': ') || 'the browser gave no reason'
  return storeFailure(name, { fault: FAULTS[kind] ?? 'io', reason, cause: error })
}
