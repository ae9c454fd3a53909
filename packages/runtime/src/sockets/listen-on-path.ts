import { chmodSync } from 'node:fs'
import type { Server } from 'node:net'

/**
 * The mask of the process while a socket file is made. The file then has no permissions for the group and for others,
 * and no permission to execute.
 */
const CLOSED = 0o177

/**
 * Listens on a socket file. It makes the file for its owner only, so no other user can connect before the file has
 * `mode`. Without `mode` the mask of the process determines the permissions. The server removes the file when it
 * closes.
 */
export function listenOnPath(
  server: Server,
  { path, mode, onListening }: { readonly path: string; readonly mode?: number; readonly onListening: () => void },
): void {
  if (mode === undefined) {
    server.listen(path, onListening)
    return
  }
  const before = process.umask(CLOSED)
  try {
    // The socket's file is created during this call, while the mask is set. The callback runs later.
    server.listen(path, () => {
      if (mode !== (0o777 & ~CLOSED)) chmodSync(path, mode)
      onListening()
    })
  } finally {
    process.umask(before)
  }
}
