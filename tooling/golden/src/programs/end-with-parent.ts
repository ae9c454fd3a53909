import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Makes sure that a child process ends when this process ends, even if this process is killed with SIGKILL. A small
 * shell waits for the end of a pipe that only this process holds open, and then kills the child. The shell has its
 * own session, so that Ctrl-C on a terminal does not end the shell first.
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
