import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { sourceFiles } from './imports.ts'
import type { Step, StepResult } from './step.ts'
import { findWordingFaults, wordingFaults } from './wording.ts'
import { findTextFaults, wordingFaultsOfTexts } from './wording-texts.ts'

const CANARIES = ['anew.ts', 'none.ts', 'told.ts', 'who.ts']
/**
 * The files with planted faults in a text, a paragraph or a title of a test. Their comments have no faults, because
 * these files test only the check of texts.
 */
const TEXT_CANARIES = ['help.ts', 'error.ts', 'log.ts', 'page.md', 'table.md', 'title.test.ts']

function run(root: string): StepResult {
  const faults = [...findWordingFaults(root), ...findTextFaults(root)]
  return { ok: faults.length === 0, output: faults.join('\n') }
}

/**
 * Runs the checks of wording on planted faults. If the checks find exactly the planted faults, returns `ok: false`, as
 * {@link Step.canary} demands.
 */
function canary(root: string): StepResult {
  const folder = join(root, 'tooling/check/canaries/wording')
  const faults = sourceFiles(folder).flatMap((file) =>
    wordingFaults(relative(folder, file), readFileSync(file, 'utf8')),
  )
  const textFolder = `${folder}-texts`
  const texts = readdirSync(textFolder).flatMap((name) =>
    wordingFaultsOfTexts(name, readFileSync(join(textFolder, name), 'utf8')),
  )
  const silentTexts = TEXT_CANARIES.filter((name) => !texts.some((fault) => fault.startsWith(`${name}:`)))
  const silent = CANARIES.filter((file) => !faults.some((fault) => fault.startsWith(`${file}:`)))
  const wrong = [...faults, ...texts].filter((fault) => fault.startsWith('fine.'))
  const missed = [...silent, ...silentTexts]
  return {
    ok: missed.length + wrong.length > 0,
    output: [...missed.map((file) => `${file}: no fault`), ...wrong].join('\n'),
  }
}

export const WORDING_STEP: Step = {
  name: 'wording',
  guards: 'checks the wording of comments, documents, help, errors, log lines and test titles (docs/style.md)',
  run,
  canary,
}
