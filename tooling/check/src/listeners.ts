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

/**
 * Returns a line of text for each function type in `files` that adds a listener and has no `AbortSignal`. Such a
 * function type has a first parameter with the name `listener`.
 */
export function listenerFaults(root: string, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const found: string[] = []
    walkSyntax<TypeNode>(parseSource(text), ({ type, start, params = [] }) => {
      if (type !== 'TSFunctionType' || params[0]?.name !== 'listener' || params.some(isSignal)) return
      const line = text.slice(0, start).split('\n').length
      found.push(`${relative(root, file)}:${line}: a listener is added without an AbortSignal that removes it.`)
    })
    return found
  })
}
