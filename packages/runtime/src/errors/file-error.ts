import { messageOf } from './message-of.ts'

/** The steps for a person whose user may not use a file. */
export const PERMISSION_ADVICE =
  'run halley as the user who owns the file, or give this user access to it (chown, chmod)'

/** LevelDB has no code for missing permissions. */
const LEVEL_DENIED = /permission denied|operation not permitted/i

/** Whether the system refused to read or write a file because of its permissions or those of its folder. */
export function isPermissionDenied(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  if (code === 'LEVEL_IO_ERROR') return LEVEL_DENIED.test(String(message))
  return code === 'EACCES' || code === 'EPERM'
}

/** The message of an error of the file system. For missing permissions it also has the remedy. */
export function fileErrorMessage(error: unknown): string {
  return isPermissionDenied(error) ? `${messageOf(error)}: ${PERMISSION_ADVICE}` : messageOf(error)
}
