import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)
/**
 * The time limit of a command. A package with Node.js has about 60 MB, which even a slow network transfers in ten
 * minutes.
 */
const TIMEOUT_MS = 10 * 60_000

/** Runs a command to its end. Resolves with its output. Rejects if the command fails or takes too long. */
export async function run(
  [name, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  return (await execute(name, args, { cwd, env, timeout: TIMEOUT_MS, maxBuffer: 2 ** 24 })).stdout
}
