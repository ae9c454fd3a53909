import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { StepResult } from './step.ts'

/**
 * Runs a program of the repository, in `folder` or in the root of the repository. The result has the standard output
 * and the error output of the program.
 */
export function command(root: string, [name, ...args]: readonly [string, ...string[]], folder = root): StepResult {
  const result = spawnSync(join(root, 'node_modules/.bin', name), args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (result.error !== undefined) return { ok: false, output: `${name} did not run: ${result.error.message}` }
  return { ok: result.status === 0, output: `${result.stdout}${result.stderr}`.trim() }
}
