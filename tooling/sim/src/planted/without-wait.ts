import { readFileSync } from 'node:fs'
import type { CommitStep } from '@org/engine/execution'
import type { Place } from '../planted-bug.ts'
import { execution } from './paths.ts'

const FILE = execution('commit/steps.ts')
const source = readFileSync(new URL(`../../../../${FILE}`, import.meta.url), 'utf8')

/**
 * Returns a planted bug's place: the entry of a step of the commit, without some of the steps for which this step
 * waits. `parts` are the texts that are removed from the entry.
 */
export function withoutWait(step: CommitStep, parts: readonly string[]): Place {
  const from = source.indexOf(`name: '${step}',`)
  const find = source.slice(from, source.indexOf('],\n', from))
  const replace = parts.reduce((text, part) => text.replace(part, ''), find)
  return { file: FILE, find, replace }
}
