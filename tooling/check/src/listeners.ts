import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { parseSource } from './parse-source.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

interface TypeNode extends SyntaxNode {
  readonly name?: string
  readonly typeName?: { readonly name?: string }
  readonly typeAnnotation?: TypeNode
  readonly types?: readonly TypeNode[]
  readonly params?: readonly TypeNode[]
}

/** Returns true if a parameter has the type `AbortSignal`, or a union with it. */
function isSignal(param: TypeNode): boolean {
  const type = param.typeAnnotation?.typeAnnotation
  return [type, ...(type?.types ?? [])].some((each) => each?.typeName?.name === 'AbortSignal')
}

/** The kinds of syntax nodes that the check reads: functions, and the types of functions and methods. */
const FUNCTIONS = new Set([
  'ArrowFunctionExpression',
  'FunctionDeclaration',
  'FunctionExpression',
  'TSDeclareFunction',
  'TSFunctionType',
  'TSMethodSignature',
])

/**
 * Returns a line of text for each function, method and function type in `files` that adds a listener and has no
 * `AbortSignal`. A function counts as one that adds a listener if its first parameter has the name `listener` and a
 * type. A function whose parameter `listener` has no type takes its type from another declaration, which is also
 * checked.
 */
export function listenerFaults(root: string, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const found: string[] = []
    walkSyntax<TypeNode>(parseSource(text), ({ type, start, params = [] }) => {
      const [first] = params
      if (!FUNCTIONS.has(type) || first?.name !== 'listener' || first.typeAnnotation == null) return
      if (params.some(isSignal)) return
      const line = text.slice(0, start).split('\n').length
      found.push(`${relative(root, file)}:${line}: a listener is added without an AbortSignal that removes it.`)
    })
    return found
  })
}
