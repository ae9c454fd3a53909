import { readFileSync } from 'node:fs'
import type { CommitStep } from '@org/engine/execution'
import type { Replacement } from '../planted-bug.ts'
import { execution } from './paths.ts'

const FILE = execution('commit/steps.ts')
const source = readFileSync(new URL(`../../../../${FILE}`, import.meta.url), 'utf8')

/**
 * Returns a bug in the commit of a block: the step with the name `step` no longer waits for some other steps. The
 * source file has an entry for each step, which lists the steps that it waits for. The bug deletes each text in `parts`
 * from the entry of `step`.
 */
export function withoutWait(step: CommitStep, parts: readonly string[]): Replacement {
  const from = source.indexOf(`name: '${step}',`)
  const find = source.slice(from, source.indexOf('],\n', from))
  const replace = parts.reduce((text, part) => text.replace(part, ''), find)
  return { file: FILE, find, replace }
}
