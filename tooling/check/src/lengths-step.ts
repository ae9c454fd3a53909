import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command } from './command.ts'
import type { Step, StepResult } from './step.ts'

/**
 * The maximum number of lines of a function whose docstring gives no reason for its length. The first and the last line
 * of the function count too. The linter permits no function with more than 150 lines, even with a reason.
 */
const MAX_LINES = 100
/** Matches the words with which a docstring gives the reason for the length of its function. */
const REASON = /\bThe function is long because\b/
const CANARIES = 'tooling/check/canaries/lengths'

interface Diagnostic {
  readonly filename: string
  readonly labels: readonly { readonly span: { readonly line: number } }[]
}

/** Returns the text of the comment that ends directly above the line number `line`. The first line has number 1. */
function docstringAbove(lines: readonly string[], line: number): string {
  const end = line - 2
  if (lines[end]?.trimEnd().endsWith('*/') !== true) return ''
  let begin = end
  while (begin > 0 && !lines[begin]?.trimStart().startsWith('/**')) begin--
  return lines
    .slice(begin, end + 1)
    .map((text) => text.trim().replace(/^\* /, ''))
    .join(' ')
}

/**
 * Returns a fault for each long function whose docstring gives no reason for its length. Files whose path matches
 * `except` are not checked.
 */
function longFunctions(root: string, places: readonly string[], except?: RegExp): StepResult {
  const folder = mkdtempSync(join(tmpdir(), 'halley-lengths-'))
  const file = join(folder, 'rules.json')
  const limit = { max: MAX_LINES, skipBlankLines: false, skipComments: false }
  const rules = { 'max-lines-per-function': ['error', limit] }
  writeFileSync(file, JSON.stringify({ categories: { correctness: 'off' }, rules }))
  const { output } = command(root, ['oxlint', '--no-ignore', '--format', 'json', '-c', file, ...places])
  rmSync(folder, { recursive: true })
  const { diagnostics } = JSON.parse(output) as { diagnostics: readonly Diagnostic[] }
  const faults = diagnostics.flatMap(({ filename, labels }) => {
    if (except?.test(filename)) return []
    const line = labels[0]?.span.line ?? 1
    if (REASON.test(docstringAbove(readFileSync(join(root, filename), 'utf8').split('\n'), line))) return []
    return [
      `${filename}:${line}: cut the function, or give the reason in its docstring ("The function is long because …")`,
    ]
  })
  return { ok: faults.length === 0, output: faults.join('\n') }
}

/**
 * Runs the check on two planted functions that are too long. The docstring of one of them gives the reason for its
 * length. If the check reports only the other function, the check works. Then `canary` returns `ok: false`, because a
 * step that finds faults returns `ok: false` ({@link Step.canary}).
 */
function canary(root: string): StepResult {
  const { output } = longFunctions(root, [CANARIES])
  const found = output.split('\n').filter((line) => line !== '')
  const isAlive = found.length === 1 && found[0]?.includes('/no-reason.ts:') === true
  return { ok: !isAlive, output }
}

export const LENGTHS_STEP: Step = {
  name: 'lengths',
  guards: 'refuses functions of more than 100 lines without a reason',
  run: (root) => longFunctions(root, ['packages', 'apps', 'tooling'], /\.test\.ts$|\/(test|dist|canaries)\//),
  canary,
}
