import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CLOCKS_STEP } from './clocks-step.ts'
import { command } from './command.ts'
import { COMMITS_STEP } from './commits-step.ts'
import { COSTS_STEP } from './costs-step.ts'
import { ENDINGS_STEP } from './endings-step.ts'
import { ERRORS_STEP } from './errors-step.ts'
import { EXPORTS_STEP } from './exports-step.ts'
import { FORMAT_STEP } from './format-step.ts'
import { sourceFiles } from './imports.ts'
import { findLayerFaults } from './layers.ts'
import { LENGTHS_STEP } from './lengths-step.ts'
import { LINT_STEP } from './lint-step.ts'
import { findManifestFaults } from './manifests.ts'
import { NODE_20_STEP } from './node-20-step.ts'
import { findRegExpFaults, regExpFaults } from './regexps.ts'
import type { Step, StepResult } from './step.ts'
import { WORDING_STEP } from './wording-step.ts'

/** Returns the folders of the repository that have a `tsconfig.json`. */
export function projects(root: string): string[] {
  const members = ['packages', 'apps', 'tooling'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(group, name)),
  )
  return [...members, 'examples'].filter((path) => existsSync(join(root, path, 'tsconfig.json')))
}

const REGEXP_CANARIES = ['backtracking.ts', 'built.ts', 'each-start.ts']

async function regExpCanary(root: string): Promise<StepResult> {
  const folder = join(root, CANARIES, 'regexps')
  const faults = await regExpFaults(folder, sourceFiles(folder))
  const silent = REGEXP_CANARIES.filter((file) => !faults.some((fault) => fault.startsWith(`${file}:`)))
  const wrong = faults.filter((fault) => fault.startsWith('fine.ts:'))
  return {
    ok: silent.length + wrong.length > 0,
    output: [...silent.map((file) => `${file}: no fault`), ...wrong].join('\n'),
  }
}

const CANARIES = 'tooling/check/canaries'

/** The files with planted faults that the TypeScript compiler must report. */
const TYPE_CANARIES = ['unchecked-index.ts', 'wrong-type-test.ts']

function typesCanary(root: string): StepResult {
  const { output } = command(root, ['tsc', '-p', join(CANARIES, 'types')])
  const silent = TYPE_CANARIES.filter((file) => !output.includes(`${file}(`))
  return { ok: silent.length > 0, output: silent.map((file) => `${file}: no error`).join('\n') }
}

export const STEPS: readonly Step[] = [
  FORMAT_STEP,
  LINT_STEP,
  {
    name: 'types',
    guards: 'checks the types of every package, and the type tests (*.test-d.ts)',
    run: (root) => {
      const failed = projects(root)
        .map((project) => command(root, ['tsc', '-p', project]))
        .filter((result) => !result.ok)
      return { ok: failed.length === 0, output: failed.map((result) => result.output).join('\n') }
    },
    canary: typesCanary,
  },
  NODE_20_STEP,
  {
    name: 'layers',
    guards: 'checks the direction of imports between packages and folders, the dependencies, and the length of files',
    run: layers,
    canary: layersCanary,
  },
  {
    name: 'manifests',
    guards: 'checks the licence, the repository and the files of published packages',
    run: manifests,
    canary: (root) => manifests(join(root, CANARIES, 'manifests')),
  },
  {
    name: 'regexps',
    guards: 'refuses regular expressions that take more than linear time',
    run: async (root) => {
      const faults = await findRegExpFaults(root)
      return { ok: faults.length === 0, output: faults.join('\n') }
    },
    canary: regExpCanary,
  },
  EXPORTS_STEP,
  CLOCKS_STEP,
  ERRORS_STEP,
  ENDINGS_STEP,
  COSTS_STEP,
  LENGTHS_STEP,
  WORDING_STEP,
  COMMITS_STEP,
]

function manifests(root: string): StepResult {
  const faults = findManifestFaults(root)
  if (faults.length === 0) return { ok: true, output: '' }
  return { ok: false, output: [...faults, "'pnpm check --write' writes these members"].join('\n') }
}

/** The lines that the step must report for the planted faults. */
export const LAYER_CANARIES: readonly string[] = [
  'apps/node/src/node/index.ts: the folder node must not use cli',
  'examples/app.ts: ../packages/engine/src/store/index.ts is outside of the package',
  'packages/engine/src/consensus/machine/index.ts: the folder consensus/machine must not import @org/p2p',
  'packages/engine/src/consensus/wal/index.ts: the folder consensus/wal must not use consensus/driver',
  'packages/engine/src/events/query/index.ts: the folder events/query must not use mempool',
  'packages/engine/src/files/index.ts: the folder files must not import @org/p2p',
  'packages/engine/src/indexer/index.ts: the folder indexer must not use p2p',
  'packages/engine/src/store/index.ts: the folder store must not use consensus/machine',
  'packages/p2p/src/mconn/index.ts: the folder mconn must not import node:net',
  'packages/p2p/src/protocol/index.ts: the folder protocol must not use switch',
  'packages/p2p/src/relay/index.ts: no folder of this name in FOLDERS',
  'packages/rpc/src/index.ts: @org/rpc must not import @org/engine',
  'packages/simnet/src/invariants/index.ts: the folder invariants must not use network',
  'packages/simnet/src/world/index.ts: the folder world must not import @org/engine',
  'tooling/tool/src/long.ts: 502 lines, at most 500',
  'tooling/tool/src/main.ts: ../../../packages/engine/src/store/index.ts is outside of the package',
  'tooling/tool/src/main.ts: @org/rpc is not among the dependencies of @org/tool',
]

/** Runs the step on the planted faults, and checks that each of them is reported. */
function layersCanary(root: string): StepResult {
  const faults = findLayerFaults(join(root, CANARIES, 'layers'))
  const silent = LAYER_CANARIES.filter((fault) => !faults.includes(fault))
  return { ok: silent.length > 0, output: silent.map((fault) => `not found: ${fault}`).join('\n') }
}

function layers(root: string): StepResult {
  const faults = findLayerFaults(root)
  return { ok: faults.length === 0, output: faults.join('\n') }
}
