import { PERMISSION_ADVICE } from '@org/runtime/errors'
import { STORE_ERRORS, StoreError, type StoreErrorCode } from '../errors.ts'

/**
 * Patterns in the messages of LevelDB's errors, with the error code of the store for each pattern. LevelDB has no codes
 * for the errors in this list, so their messages are compared.
 */
const REASONS: readonly (readonly [RegExp, StoreErrorCode])[] = [
  [/no space left|ENOSPC|quota exceeded|file too large/i, STORE_ERRORS.full],
  [/read-only file system|EROFS/i, STORE_ERRORS.readOnly],
  [/permission denied|EACCES|EPERM|operation not permitted/i, STORE_ERRORS.denied],
  [/does not exist \(create_if_missing is false\)/, STORE_ERRORS.missing],
  [/corruption|checksum|bad block|missing files/i, STORE_ERRORS.corrupt],
]

/** Converts an error of LevelDB, which may have a code or only a message, to a coded error. */
export function storeError(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error
  const chain: { code?: string; message: string }[] = []
  for (let at: unknown = error; at instanceof Error; at = at.cause) chain.push(at as Error & { code?: string })
  const codes = chain.map(({ code }) => code)
  const text = chain.map(({ message }) => message).join(': ')
  const reason = chain.at(-1)?.message ?? String(error)
  const fail = (code: StoreErrorCode): StoreError => {
    const advice = code === STORE_ERRORS.denied ? `: ${PERMISSION_ADVICE}` : ''
    return new StoreError(code, `${path}: ${reason}${advice}`, { data: { path }, cause: error })
  }

  if (codes.includes('LEVEL_LOCKED')) return fail(STORE_ERRORS.locked)
  for (const [pattern, code] of REASONS) if (pattern.test(text)) return fail(code)
  if (codes.includes('LEVEL_CORRUPTION')) return fail(STORE_ERRORS.corrupt)
  if (codes.includes('LEVEL_DATABASE_NOT_OPEN') || codes.includes('LEVEL_ITERATOR_NOT_OPEN'))
    return fail(STORE_ERRORS.closed)
  return fail(STORE_ERRORS.io)
}
