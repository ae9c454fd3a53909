import { command } from './command.ts'
import type { Step, StepResult } from './step.ts'

/** The files with planted faults. Each uses a function that Node.js 20 does not have. */
const CANARIES = ['array-from-async.ts', 'promise-with-resolvers.ts']

function canary(root: string): StepResult {
  const { output } = command(root, ['tsc', '-p', 'tooling/check/canaries/node-20'])
  const silent = CANARIES.filter((file) => !output.includes(`${file}(`))
  return { ok: silent.length > 0, output: silent.map((file) => `${file}: no error`).join('\n') }
}

/**
 * Compiles the packages that must also run on Node.js 20. The compiler then has only the functions of the language that
 * Node.js 20 has, so the step finds newer functions. It does not find newer functions of the `node:` modules, because
 * the types of these modules are those of Node.js 24.
 */
export const NODE_20_STEP: Step = {
  name: 'node-20',
  guards: 'refuses functions of the language that Node.js 20 does not have, in packages that must run on it',
  run: (root) => command(root, ['tsc', '-p', 'tsconfig.node-20.json']),
  canary,
}
