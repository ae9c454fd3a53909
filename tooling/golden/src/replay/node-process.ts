import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent } from '../programs/end-with-parent.ts'

export interface NodeProcess {
  readonly process: ChildProcess
  /** Resolves when the node answers `/status`. Rejects if the process ends first, or after `timeoutMs`. */
  readonly ready: (timeoutMs?: number) => Promise<void>
  /** Sends SIGTERM to the node, and SIGKILL if it has not ended after ten seconds. Resolves with the exit code. */
  readonly stop: () => Promise<number | null>
  readonly kill: () => Promise<void>
}

export interface NodeProcessOptions {
  readonly binary: string
  readonly args: readonly string[]
  /** The home of the node. The process runs in this folder, so that the node writes no absolute path into its files. */
  readonly home: string
  readonly rpcPort: number
  readonly logFile: string
}

export function startNodeProcess(options: NodeProcessOptions): NodeProcess {
  const log = openSync(options.logFile, 'a')
  const { CMTHOME: _cmt, HALLEY_HOME: _halley, ...env } = process.env
  const child = spawn(options.binary, options.args, { cwd: options.home, env, stdio: ['ignore', log, log] })
  closeSync(log)
  endWithParent(child)
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  child.once('error', () => undefined)
  return {
    process: child,
    ready: async (timeoutMs = 40_000) => {
      const stop = performance.now() + timeoutMs
      while (performance.now() < stop) {
        if (child.exitCode !== null)
          throw new Error(`${options.binary} ended with ${child.exitCode}, see ${options.logFile}`)
        const answer = await fetch(`http://127.0.0.1:${options.rpcPort}/status`).catch(() => undefined)
        if (answer?.ok === true) {
          await answer.arrayBuffer()
          return
        }
        await sleep(10)
      }
      throw new Error(`${options.binary} did not answer on port ${options.rpcPort}, see ${options.logFile}`)
    },
    stop: async () => {
      child.kill('SIGTERM')
      const late = new AbortController()
      const code = await Promise.race([
        ended,
        sleep(10_000, undefined, { signal: late.signal })
          .catch(() => null)
          .then(() => 'late' as const),
      ])
      late.abort()
      if (code !== 'late') return code
      child.kill('SIGKILL')
      return ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
