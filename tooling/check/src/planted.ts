import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { StepResult } from './step.ts'

/**
 * Compares the reported faults with the planted faults, which are the lines with the comment `planted`. Each reported
 * fault begins with its file and line, such as `a.ts:3:`. If the check reports exactly the planted faults, the check
 * works. Then this function returns `ok: false`, because a step that finds faults returns `ok: false` ({@link
 * Step.canary}). Otherwise it returns `ok: true` with the differences as output.
 */
export function comparePlanted(folder: string, files: readonly string[], faults: readonly string[]): StepResult {
  const planted = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.includes('// planted') ? [`${relative(folder, file)}:${index + 1}:`] : [])),
  )
  const silent = planted.filter((place) => !faults.some((fault) => fault.startsWith(place)))
  const wrong = faults.filter((fault) => !planted.some((place) => fault.startsWith(place)))
  const differences = [...silent.map((place) => `${place} no fault`), ...wrong]
  return { ok: differences.length > 0, output: differences.join('\n') }
}
