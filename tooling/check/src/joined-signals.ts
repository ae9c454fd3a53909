import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { parseSource } from './parse-source.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

interface MemberNode extends SyntaxNode {
  readonly object?: { readonly name?: string }
  readonly property?: { readonly name?: string }
}

/** Returns a line of text for each use of `AbortSignal.any` in `files`. */
export function joinedSignalFaults(root: string, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const found: string[] = []
    walkSyntax<MemberNode>(parseSource(text), ({ type, start, object, property }) => {
      if (type !== 'MemberExpression' || object?.name !== 'AbortSignal' || property?.name !== 'any') return
      const line = text.slice(0, start).split('\n').length
      found.push(
        `${relative(root, file)}:${line}: Node.js may keep the signal of AbortSignal.any in memory: use joinSignals of @org/runtime.`,
      )
    })
    return found
  })
}
