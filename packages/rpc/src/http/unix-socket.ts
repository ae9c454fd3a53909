import { chmodSync, rmSync, statSync } from 'node:fs'
import { connect, type Server } from 'node:net'

/** True if nobody answers on a socket file that is left over. */
function isStale(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(false)
    })
    // Whoever may not ask, or is not heard because too many wait, has found somebody.
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED' || code === 'ENOENT'))
  })
}

/** Removes a socket file that nobody listens on any more. Other files stay. */
export async function clearStaleSocket(path: string): Promise<void> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isSocket() === true && (await isStale(path))) rmSync(path, { force: true })
}

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
