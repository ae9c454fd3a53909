import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Ends a child with SIGKILL when this process ends, also by SIGKILL. A small shell waits for the end of a pipe that
 * only this process holds open. The shell has its own session, so that Ctrl-C on a terminal does not end it first.
 */
export function endWithParent(child: ChildProcess): void {
  if (child.pid === undefined) return
  const watcher = spawn('sh', ['-c', `read _; kill -9 ${child.pid}`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.once('error', () => undefined)
  child.once('exit', () => void watcher.kill('SIGKILL'))
  watcher.unref()
  const pipe = watcher.stdin as typeof watcher.stdin & { readonly unref?: () => void }
  pipe.unref?.()
}
