import { PERMISSION_ADVICE } from '@org/runtime/errors'
import { LIGHT_ERRORS, LightError, lightError, type StoreFault } from '../errors.ts'

const FAULTS: readonly (readonly [RegExp, StoreFault])[] = [
  [/LEVEL_LOCKED/, 'locked'],
  [/no space left|ENOSPC|quota exceeded|file too large/i, 'full'],
  [/permission denied|EACCES|EPERM|operation not permitted|read-only file system|EROFS/i, 'denied'],
  [/LEVEL_CORRUPTION|corruption|checksum|bad block|missing files/i, 'corrupt'],
  [/LEVEL_(DATABASE|ITERATOR)_NOT_OPEN/, 'closed'],
]

const ADVICE: Readonly<Record<StoreFault, string>> = {
  locked: 'another process uses this database: stop it first',
  full: 'free disk space',
  denied: PERMISSION_ADVICE,
  corrupt: 'remove the folder, and begin with a height and hash that you trust',
  closed: 'open the store again',
  io: 'check the disk',
}

interface Failure {
  readonly fault: StoreFault
  readonly reason: string
  readonly cause?: unknown
}

export function storeFailure(path: string, { fault, reason, cause }: Failure): LightError {
  const message = `the light store ${path} failed: ${reason}: ${ADVICE[fault]}`
  return lightError(LIGHT_ERRORS.store, message, { data: { path, fault }, cause })
}

/** Converts LevelDB's errors to coded errors by their codes and messages. */
export function toStoreFailure(path: string, error: unknown): LightError {
  if (error instanceof LightError) return error
  const chain: string[] = []
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    chain.push(`${(at as { code?: string }).code ?? ''} ${at.message}`)
  }
  const text = chain.join(': ')
  const fault = FAULTS.find(([pattern]) => pattern.test(text))?.[1] ?? 'io'
  return storeFailure(path, { fault, reason: chain.at(-1)?.trim() ?? String(error), cause: error })
}
