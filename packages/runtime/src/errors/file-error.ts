import { messageOf } from './message-of.ts'

/** The advice to a person who has no permission for a file. */
export const PERMISSION_ADVICE =
  'run halley as the user who owns the file, or give this user access to it (chown, chmod)'

/** Matches the texts of LevelDB about missing permissions, because LevelDB has no code for them. */
const LEVEL_DENIED = /permission denied|operation not permitted/i

/** True if the system refused to read or write a file because of the permissions of the file or its folder. */
export function isPermissionDenied(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  if (code === 'LEVEL_IO_ERROR') return LEVEL_DENIED.test(String(message))
  return code === 'EACCES' || code === 'EPERM'
}

/**
 * Returns the message of an error of the file system. For missing permissions, the message also contains the remedy.
 */
export function fileErrorMessage(error: unknown): string {
  return isPermissionDenied(error) ? `${messageOf(error)}: ${PERMISSION_ADVICE}` : messageOf(error)
}
