import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { command } from './command.ts'
import type { Step, StepResult } from './step.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

/** The files with planted faults, each with the name of the rule that must report its fault. */
const CANARIES: Readonly<Record<string, string>> = {
  'BadName.ts': 'filename-case',
  'cycle-a.ts': 'no-cycle',
  'default-export.ts': 'no-default-export',
  'floating-promise.ts': 'no-floating-promises',
  'global-timer.ts': 'no-restricted-properties',
  'long-function.ts': 'max-lines-per-function',
  'many-parameters.ts': 'max-params',
  'missing-case.ts': 'switch-exhaustiveness-check',
  'monotonic-clock.ts': 'no-restricted-globals',
  'raw-timer.ts': 'no-restricted-globals',
  'type-cycle-a.ts': 'no-cycle',
  'wall-clock.ts': 'no-restricted-properties',
}

const CLOCKS = ['no-restricted-globals', 'no-restricted-properties']

/** Folders of code, each with the rules that the configuration does not apply there. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'packages/canary/src': [],
  'apps/canary/src': [],
  'tooling/canary/src': CLOCKS,
  'packages/runtime/src': CLOCKS,
  'packages/canary/test': [...CLOCKS, 'max-params', 'max-lines-per-function'],
}

/** The tsconfig of the copied files. The linter needs it to find the types in these files. */
const PROJECT = {
  extends: './tsconfig.base.json',
  compilerOptions: { noEmit: true, allowImportingTsExtensions: true },
  include: Object.keys(FOLDERS),
}

interface Diagnostic {
  readonly code: string
  readonly filename: string
}

/**
 * Returns a line of text for each planted fault in `folder` that the linter handled wrongly. Each planted fault breaks
 * one rule. The linter must report the fault if this rule is on in the folder, and must not report it if the rule is
 * off.
 */
function wrongReports(diagnostics: readonly Diagnostic[], folder: string): readonly string[] {
  const off = FOLDERS[folder] ?? []
  return Object.entries(CANARIES).flatMap(([name, rule]) => {
    const isReported = diagnostics.some(
      ({ code, filename }) => basename(filename) === name && filename.includes(folder) && code.includes(`(${rule})`),
    )
    if (isReported !== off.includes(rule)) return []
    return [
      `${folder}/${name}: ${rule} ${isReported ? 'is off in this folder, and reported the fault' : 'reported nothing'}`,
    ]
  })
}

/**
 * Lints the planted faults with the unchanged configuration of the repository. The configuration ignores the folder
 * `canaries`, and switches some rules off in some other folders. So the planted faults are copied to a temporary
 * folder, into each of the paths in {@link FOLDERS}. The linter must report the fault of a rule in each folder where
 * the rule is on, and in no other folder.
 */
function canary(root: string): StepResult {
  const source = join(root, 'tooling/check/canaries/lint')
  return inTemporaryFolder('halley-lint-', (folder) => {
    for (const file of ['.oxlintrc.json', 'tsconfig.base.json']) cpSync(join(root, file), join(folder, file))
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(PROJECT))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    for (const path of Object.keys(FOLDERS)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      cpSync(source, join(folder, path), { recursive: true, filter: (file) => basename(file) !== 'tsconfig.json' })
    }
    const args = ['--type-aware', '--format', 'json', 'packages', 'apps', 'tooling'] as const
    const { output } = command(root, ['oxlint', ...args], folder)
    const { diagnostics } = JSON.parse(output) as { diagnostics: readonly Diagnostic[] }
    const wrong = Object.keys(FOLDERS).flatMap((path) => wrongReports(diagnostics, path))
    return { ok: wrong.length > 0, output: wrong.join('\n') }
  })
}

export const LINT_STEP: Step = {
  name: 'lint',
  guards:
    'refuses import cycles, floating promises, raw clocks and timers, long functions, many parameters, and missing cases',
  run: (root) => command(root, ['oxlint', '--type-aware', '--deny-warnings', '.']),
  canary,
}
