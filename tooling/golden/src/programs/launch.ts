import { type ChildProcess, execFile, spawn } from 'node:child_process'

export interface Finished {
  /** The exit code; -1 if a signal ended the program, or if it could not start. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface ProgramOptions {
  readonly cwd?: string
  /** Environment variables for the program, in addition to those of this process. */
  readonly env?: NodeJS.ProcessEnv
}

/**
 * Runs a program to its end, with `input` on its standard input. Kills the program after 50 seconds. Resolves with
 * the exit code and the output.
 */
export function run(
  program: string,
  args: readonly string[],
  { cwd, env, input }: ProgramOptions & { readonly input?: string } = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: 50_000, ...(cwd === undefined ? {} : { cwd }) }
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, stdout, stderr })
    })
    if (input !== undefined) child.stdin?.end(input)
  })
}

/** A running program. It is killed when this object is disposed of. */
export interface Running extends AsyncDisposable {
  readonly child: ChildProcess
  /** Returns the whole output of the program until now. */
  readonly output: () => string
  /**
   * Resolves with the exit code when the program has ended and its whole output was read; -1 if a signal ended the
   * program.
   */
  readonly ended: Promise<number>
  /**
   * Resolves with the first line of the output that contains `what`. Rejects if the program ends without such a line.
   */
  readonly saw: (what: string | RegExp) => Promise<string>
  /** Sends a signal to the program, by default SIGTERM. Resolves with the exit code, as `ended` does. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number>
}

export function launch(program: string, args: readonly string[], { cwd, env }: ProgramOptions = {}): Running {
  const child = spawn(program, args, { env: { ...process.env, ...env }, ...(cwd === undefined ? {} : { cwd }) })
  let output = ''
  const watchers = new Set<() => void>()
  const onOutput = (chunk: Buffer): void => {
    output += chunk.toString()
    for (const watcher of [...watchers]) watcher()
  }
  child.stdout.on('data', onOutput)
  child.stderr.on('data', onOutput)
  const ended = new Promise<number>((resolve) => {
    child.once('close', (code) => resolve(code ?? -1))
    child.once('error', (error) => {
      output += String(error)
    })
  })
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number> => {
    child.kill(signal)
    return ended
  }
  return {
    child,
    output: () => output,
    ended,
    saw: (what) =>
      new Promise((resolve, reject) => {
        const checkOutput = (): void => {
          const line = output
            .split('\n')
            .find((one) => (typeof what === 'string' ? one.includes(what) : what.test(one)))
          if (line === undefined) return
          watchers.delete(checkOutput)
          resolve(line)
        }
        watchers.add(checkOutput)
        void ended.then(() => reject(new Error(`${program} ended without ${String(what)}:\n${output}`)))
        checkOutput()
      }),
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop('SIGKILL')
    },
  }
}
