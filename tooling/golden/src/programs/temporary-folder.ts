import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that is removed when it is disposed of, or when this process ends. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string
}

/**
 * A shell command that removes the folder three times, with a pause of one second after each time. Programs that are
 * killed at the same time may still write into the folder after it was removed once.
 */
const REMOVE = 'read _; for _ in 1 2 3; do rm -rf -- "$1"; sleep 1; done'

/**
 * Makes a folder that is removed when this process ends, even by SIGKILL. A small shell reads from a pipe that only
 * this process holds open. When the pipe closes, the shell removes the folder.
 */
export async function makeTemporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), prefix))
  const watcher = spawn('sh', ['-c', REMOVE, 'sh', path], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  watcher.once('error', () => undefined)
  watcher.unref()
  const pipe = watcher.stdin as typeof watcher.stdin & { readonly unref?: () => void }
  pipe.unref?.()
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
      watcher.kill('SIGKILL')
    },
  }
}
