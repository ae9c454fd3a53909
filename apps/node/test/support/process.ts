import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Finished, findProgram, launch as launchProgram, type Running, run as runProgram } from '@org/golden'
import { onTestFinished } from 'vitest'

export type { Finished, Running } from '@org/golden'

export const HALLEY = new URL('../../bin/halley', import.meta.url).pathname

/** The reference's binary: `COMETBFT_BIN`, or `cometbft` on PATH; `undefined` if there is none. */
export const findCometbft = (): string | undefined => findProgram('cometbft')

/** The environment of nodes in tests: they listen for peers at a free port, unless a test gives an address. */
const ENVIRONMENT = { HALLEY_HOME: '', CMTHOME: '', HALLEY_P2P_LADDR: 'tcp://127.0.0.1:0' }

/** Runs a program to its end. Environment variables of the developer that name homes are not passed to the program. */
export function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  return runProgram(program, args, { env: { ...ENVIRONMENT, ...env } })
}

/** Makes a folder, which is removed when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'halley-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a program, which is killed at the end of the test if it still runs. */
export function launch(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const running = launchProgram(program, args, { env: { ...ENVIRONMENT, ...env } })
  onTestFinished(() => {
    running.child.kill('SIGKILL')
  })
  return running
}
