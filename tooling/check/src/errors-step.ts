import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { sourceFiles } from './imports.ts'
import { parseSource } from './parse-source.ts'
import type { Step, StepResult } from './step.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

interface ThrowNode extends SyntaxNode {
  readonly argument?: { readonly type: string; readonly callee?: { readonly name?: string } }
}

/** Every place in these files that throws an error without a code. */
export function bareErrors(root: string, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const found: string[] = []
    walkSyntax<ThrowNode>(parseSource(text), ({ type, start, argument }) => {
      if (type !== 'ThrowStatement' || argument?.callee?.name !== 'Error') return
      const line = text.slice(0, start).split('\n').length
      found.push(`${relative(root, file)}:${line}: throw a CodedError: callers and metrics compare its code`)
    })
    return found
  })
}

const resultOf = (faults: readonly string[]): StepResult => ({ ok: faults.length === 0, output: faults.join('\n') })

export const ERRORS_STEP: Step = {
  name: 'errors',
  guards: 'errors without a code in what is published',
  run: (root) => {
    const files = ['packages', 'apps'].flatMap((group) => sourceFiles(join(root, group)))
    const published = files.filter((file) => file.includes('/src/') && !file.endsWith('.test.ts'))
    return resultOf(bareErrors(root, published))
  },
  canary: (root) => {
    const folder = join(root, 'tooling/check/canaries/errors')
    return resultOf(bareErrors(folder, sourceFiles(folder)))
  },
}
