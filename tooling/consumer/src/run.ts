import { spawn } from 'node:child_process'

export interface RunOptions {
  readonly cwd: string
  readonly timeoutMs: number
  /** Environment variables that are added to those of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** The complete environment of the command. If it is given, the environment of this process is not used. */
  readonly wholeEnv?: Readonly<Record<string, string>>
}

/** Runs a command to its end. Resolves to its output, or rejects with its output if it fails or takes too long. */
export function run(command: readonly [string, ...string[]], options: RunOptions): Promise<string> {
  const [name, ...args] = command
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, {
      cwd: options.cwd,
      env: options.wholeEnv ?? { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve(out)
      else reject(new Error(`${command.join(' ')} ended with ${code ?? signal}\n${out}${err}`))
    })
  })
}
