import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { packageSources, sourceFiles } from './imports.ts'
import { parseSource } from './parse-source.ts'
import { resultOf, type Step } from './step.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

interface DateNode extends SyntaxNode {
  readonly callee?: { readonly name?: string }
  readonly arguments?: readonly unknown[]
}

/**
 * Returns every place in these files that reads the clock by `new Date()`. The linter finds the other ways to read the
 * clock.
 */
function clockReadings(root: string, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const found: string[] = []
    walkSyntax<DateNode>(parseSource(text), ({ type, start, callee, arguments: given }) => {
      const isMade = type === 'NewExpression' && given?.length === 0
      if (callee?.name !== 'Date' || !(isMade || type === 'CallExpression')) return
      found.push(`${relative(root, file)}:${text.slice(0, start).split('\n').length}: take a Clock from @org/runtime`)
    })
    return found
  })
}

export const CLOCKS_STEP: Step = {
  name: 'clocks',
  guards: 'refuses new Date() outside of packages/runtime',
  run: (root) => {
    const files = packageSources(root).filter((file) => !file.includes('/runtime/src/'))
    return resultOf(clockReadings(root, files))
  },
  canary: (root) => {
    const folder = join(root, 'tooling/check/canaries/clocks')
    return resultOf(clockReadings(folder, sourceFiles(folder)))
  },
}
