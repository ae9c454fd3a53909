import { chmodSync } from 'node:fs'
import type { Server } from 'node:net'

/** Bits that nobody but the owner and the group of a file may have. */
const CLOSED = 0o177

/**
 * Listens on a socket file that has this mode from the first moment; without one the process's own mask decides. The file is
 * gone when the server is closed.
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
    // The file is made in this call.
    server.listen(path, () => {
      chmodSync(path, mode)
      onListening()
    })
  } finally {
    process.umask(before)
  }
}
