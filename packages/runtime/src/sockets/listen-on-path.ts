import { chmodSync } from 'node:fs'
import type { Server } from 'node:net'

/** The permissions that a new socket file never has: those of the group, of others, and to execute. */
const CLOSED = 0o177

/**
 * Listens on a socket file. No other user can connect before the file has `mode`: it is made for its owner only. Without `mode` the
 * process's own mask decides. The server removes the file when it closes.
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
    // This call makes the file.
    server.listen(path, () => {
      if (mode !== (0o777 & ~CLOSED)) chmodSync(path, mode)
      onListening()
    })
  } finally {
    process.umask(before)
  }
}
