/** A node in the syntax tree of a TypeScript source. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
}

const isNode = (value: unknown): value is SyntaxNode => typeof value === 'object' && value !== null && 'type' in value

/**
 * Calls `visit` with each node of a syntax tree. The type parameter `Node` describes the members of nodes that the
 * caller reads.
 */
export function walkSyntax<Node extends SyntaxNode>(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) walkSyntax(item, visit)
  } else if (isNode(value)) {
    visit(value as Node)
    for (const child of Object.values(value)) walkSyntax(child, visit)
  }
}
