import { chmodSync } from 'node:fs'
import type { Server } from 'node:net'

/**
 * The file mode mask (umask) that the process has while a socket file is made. With this mask, the file has no
 * permissions for the group and for others, and no permission to execute.
 */
const CLOSED = 0o177

/**
 * Listens on a socket file. At first only the owner has permissions for the file, so no other user can connect before
 * the file has `mode`. Without `mode`, the umask of the process determines the permissions. The server removes the file
 * when it closes.
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
    // The socket file is made during this call, while the umask is `CLOSED`. The callback runs later.
    server.listen(path, () => {
      if (mode !== (0o777 & ~CLOSED)) chmodSync(path, mode)
      onListening()
    })
  } finally {
    process.umask(before)
  }
}
