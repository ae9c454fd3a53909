import { rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'

/** Returns true if no server listens on a socket file. */
function isStale(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(false)
    })
    // Any other error, such as a refused permission or a full queue, does not prove that no server is listening.
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED' || code === 'ENOENT'))
  })
}

/**
 * Removes the socket file of a server that has ended. A socket file with a running server, and any other kind of file,
 * is kept. Never rejects: if the file cannot be examined or removed, a later listen on it will report the error.
 */
export async function clearStaleSocket(path: string): Promise<void> {
  try {
    const found = await stat(path)
    if (found.isSocket() && (await isStale(path))) await rm(path, { force: true })
  } catch {
    // The file does not exist, or this user may not remove it. A later listen reports the error.
  }
}
