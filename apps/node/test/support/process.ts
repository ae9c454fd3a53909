import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export const HALLEY = new URL('../../bin/halley', import.meta.url).pathname

/** The reference's binary: `COMETBFT_BIN`, or `cometbft` on PATH; `undefined` if there is none. */
export function findCometbft(): string | undefined {
  const wanted = process.env.COMETBFT_BIN ?? 'cometbft'
  try {
    execFileSync(wanted, ['version'], { stdio: 'pipe' })
    return wanted
  } catch {
    return undefined
  }
}

export interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Nodes of tests listen for peers wherever there is room, unless a test says where. */
const ENVIRONMENT = { HALLEY_HOME: '', CMTHOME: '', HALLEY_P2P_LADDR: 'tcp://127.0.0.1:0' }

/** Runs a program to its end. Variables of the developer's own shell that name homes do not reach it. */
export function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { env: { ...process.env, ...ENVIRONMENT, ...env }, timeout: 50_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ code, stdout, stderr })
      },
    )
  })
}

/** A folder that is removed when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'halley-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface Running {
  readonly child: ChildProcess
  /** All that it wrote so far. */
  readonly output: () => string
  /** Resolves with the exit code, -1 if a signal ended it. */
  readonly ended: Promise<number>
  /** Resolves when the output has this. Rejects when the process ends before. */
  readonly saw: (text: string) => Promise<void>
  readonly stop: (signal?: NodeJS.Signals) => Promise<number>
}

/** Starts a program; what still runs when the test is over is killed. */
export function launch(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const child = spawn(program, args, { env: { ...process.env, ...ENVIRONMENT, ...env } })
  let output = ''
  const watchers = new Set<() => void>()
  const take = (chunk: Buffer): void => {
    output += chunk.toString()
    for (const watcher of [...watchers]) watcher()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)))
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return {
    child,
    output: () => output,
    ended,
    saw: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!output.includes(text)) return
          watchers.delete(look)
          resolve()
        }
        watchers.add(look)
        void ended.then(() => reject(new Error(`ended without ${JSON.stringify(text)}:\n${output}`)))
        look()
      }),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}
