import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The path of a program; says once in the test log when it is not there. */
export function findProgram(name: string, variable?: string): string | undefined {
  const chosen = variable === undefined ? undefined : process.env[variable]
  if (chosen !== undefined && chosen !== '') return chosen
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(directory, name)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // Not in this folder.
    }
  }
  console.log(`skipped: no ${name} on PATH`)
  return undefined
}

export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

export interface Running extends AsyncDisposable {
  readonly process: ChildProcess
  readonly output: () => string
  /** The exit code, once all output is in. */
  readonly ended: Promise<number | null>
  /** Resolves with the first line that matches; rejects when the process ends. */
  readonly line: (pattern: RegExp) => Promise<string>
  /** Ends it with a signal and resolves with the exit code. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>
}

export function start(program: string, args: readonly string[], cwd?: string): Running {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let changed: () => void = () => undefined
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      resolve(code)
      changed()
    })
  })
  const append = (chunk: Buffer): void => {
    output += chunk.toString('utf8')
    changed()
  }
  child.stdout.on('data', append)
  child.stderr.on('data', append)
  const end = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return ended
  }
  return {
    process: child,
    output: () => output,
    ended,
    line: async (pattern) => {
      for (;;) {
        const found = output.split('\n').find((line) => pattern.test(line))
        if (found !== undefined) return found
        if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${output}`)
        await new Promise<void>((resolve) => {
          changed = resolve
        })
      }
    },
    end,
    [Symbol.asyncDispose]: async () => {
      await end('SIGKILL')
    },
  }
}

/** Starts our command on a free port (or at `address`) and gives where it listens. */
export async function startKvStore(args: readonly string[], address = 'tcp://127.0.0.1:0') {
  const running = start(fileURLToPath(new URL('../bin/kvstore', import.meta.url)), ['--address', address, ...args])
  const line = await running.line(/^kvstore: /)
  return { ...running, address: / at (\S+),/.exec(line)?.[1] ?? '' }
}

export interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end, with `input` on stdin. */
export function run(program: string, args: readonly string[], input = ''): Promise<Finished> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { timeout: 30_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr })
    })
    child.stdin?.end(input)
  })
}
