import { rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'

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

/**
 * Removes a socket file that a server left behind when it died. One that a server listens on, and every other kind of file, stays.
 * Never rejects: what cannot be looked at or removed is told by listening there.
 */
export async function clearStaleSocket(path: string): Promise<void> {
  try {
    const found = await stat(path)
    if (found.isSocket() && (await isStale(path))) await rm(path, { force: true })
  } catch {
    // Nothing is there, or it is not ours to remove.
  }
}
