import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent } from '@org/golden'

export interface ProcessOptions {
  readonly binary: string
  readonly args: readonly string[]
  /** The working folder of the process. A file in it gets the error output of the process. */
  readonly directory: string
  /** Called again and again until it resolves. It must reject as long as the process is not ready. */
  readonly probe: () => Promise<unknown>
}

const START_TIMEOUT_MS = 60_000
const PROBE_INTERVAL_MS = 20
/**
 * The maximum number of characters of the process's error output that an error message shows. The first lines of this
 * output have the reason of a crash.
 */
const SHOWN_OUTPUT = 500

/**
 * Starts a process, calls `use` when the process is ready, and stops the process. If the process ends too early, throws
 * an error that contains the error output of the process.
 */
export async function withProcess<T>(options: ProcessOptions, use: () => Promise<T>): Promise<T> {
  const { binary, args, directory, probe } = options
  const file = join(directory, 'stderr.log')
  await using errors = await open(file, 'a')
  const child = spawn(binary, args, { cwd: directory, stdio: ['ignore', 'ignore', errors.fd] })
  endWithParent(child)
  const ended = once(child, 'exit').then(() => 'ended' as const)
  const failure = (what: string): Error =>
    new Error(`${binary} ${what}: ${readFileSync(file, 'utf8').slice(0, SHOWN_OUTPUT)}`)
  try {
    const stop = performance.now() + START_TIMEOUT_MS
    while (!(await isReady(probe))) {
      const next = await Promise.race([ended, sleep(PROBE_INTERVAL_MS)])
      if (next === 'ended') throw failure('ended before it was ready')
      if (performance.now() > stop) throw failure(`was not ready after ${START_TIMEOUT_MS / 1000} s`)
    }
    return await use()
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

const isReady = (probe: () => Promise<unknown>): Promise<boolean> =>
  probe().then(
    () => true,
    () => false,
  )
