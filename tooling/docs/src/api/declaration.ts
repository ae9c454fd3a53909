import { parseAst } from 'rolldown/parseAst'

/** A declaration of a name: its docstring, and its text without the docstring. */
export interface Declaration {
  readonly kind: string
  readonly doc: string
  readonly text: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly id?: { readonly name?: string } | null
  readonly declaration?: Node | null
  readonly declarations?: readonly Node[]
  readonly body?: { readonly body?: readonly Node[] }
  readonly accessibility?: string
  readonly key?: { readonly type: string }
}

const KINDS: Readonly<Record<string, string>> = {
  TSDeclareFunction: 'function',
  FunctionDeclaration: 'function',
  ClassDeclaration: 'class',
  VariableDeclaration: 'value',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  TSEnumDeclaration: 'enum',
}

/** Returns the text of a docstring without its comment marks. Links to other names become code. */
export function plainDoc(comment: string): string {
  return comment
    .replace(/^\/\*\*/, '')
    .replace(/\*\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .replace(/\{@link ([^{}\s]+)\}/g, '`$1`')
    .trim()
}

/** Returns the text of the docstring that ends directly before `start`, or an empty text. */
function docBefore(text: string, start: number): string {
  const before = text.slice(0, start).trimEnd()
  if (!before.endsWith('*/')) return ''
  const at = before.lastIndexOf('/**')
  return at < 0 ? '' : plainDoc(before.slice(at))
}

const isHidden = ({ accessibility, key }: Node): boolean =>
  accessibility === 'private' || key?.type === 'PrivateIdentifier'

/**
 * The maximum number of lines of a value's declaration. A longer declaration is cut: it contains the inferred type of
 * the value, which can have hundreds of lines.
 */
const MAX_VALUE_LINES = 60

function shortened(text: string): string {
  const lines = text.split('\n')
  return lines.length <= MAX_VALUE_LINES ? text : [...lines.slice(0, MAX_VALUE_LINES / 2), '// …'].join('\n')
}

/** Returns the text of a declaration without its private members. */
function visibleText(text: string, node: Node): string {
  let shown = text.slice(node.start, node.end)
  for (const member of (node.body?.body ?? []).filter(isHidden).toReversed())
    shown = shown.slice(0, member.start - node.start).trimEnd() + shown.slice(member.end - node.start)
  const plain = shown
    .replace(/^declare /, '')
    .replaceAll('    ', '  ')
    .replace(/import\("[^"]*"\)\./g, '')
  return node.type === 'VariableDeclaration' ? shortened(plain) : plain
}

const namesOf = (node: Node): (string | undefined)[] =>
  (node.declarations ?? [node]).map(({ id }) => id?.name ?? undefined)

/**
 * Returns the declarations of each name in the text of a `.d.ts` file. A schema has two declarations: its value and its
 * type.
 */
export function declarationsOf(text: string): ReadonlyMap<string, readonly Declaration[]> {
  const found = new Map<string, Declaration[]>()
  for (const statement of parseAst(text, { lang: 'dts' }).body as unknown as readonly Node[]) {
    const node = statement.declaration ?? statement
    const kind = KINDS[node.type]
    if (kind === undefined) continue
    for (const name of namesOf(node)) {
      if (name === undefined) continue
      const declaration = { kind, doc: docBefore(text, statement.start), text: visibleText(text, node) }
      found.set(name, [...(found.get(name) ?? []), declaration])
    }
  }
  return found
}
