import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foldersWithEntries } from '@org/build'
import { DocsError } from '../docs-error.ts'
import { type Declaration, declarationsOf } from './declaration.ts'
import { emitDeclarations } from './emit-declarations.ts'
import { type Entry, type ExportedName, exportedNames } from './exported-names.ts'
import { wrapSignature } from './wrap-signature.ts'

/**
 * The parts of an API page in their order, with the kinds of declarations that each part has. Functions and classes
 * come first, because programs call them.
 */
const PARTS: readonly (readonly [heading: string, kinds: readonly string[]])[] = [
  ['Functions', ['function']],
  ['Classes', ['class']],
  ['Values', ['value', 'enum']],
  ['Types', ['interface', 'type']],
]

/** Returns the path of the page for an entry such as `@org/rpc/client`. */
export const apiPage = (entry: string): string => `reference/api/${entry.replace('@org/', '').replaceAll('/', '-')}.md`

interface Described {
  readonly name: string
  readonly declarations: readonly Declaration[]
}

const kindOf = ({ declarations }: Described): string => declarations[0]?.kind ?? ''
const isType = (described: Described): boolean => ['interface', 'type'].includes(kindOf(described))

function sectionOf({ name, declarations }: Described): string {
  const docs = [...new Set(declarations.map(({ doc }) => doc).filter((doc) => doc !== ''))]
  const code = declarations.map(({ text }) => wrapSignature(text)).join('\n\n')
  return [`### ${name}`, '', ...docs.flatMap((doc) => [doc, '']), '```ts', code, '```', ''].join('\n')
}

/**
 * Reads the declarations of exported names from the `.d.ts` files that the compiler wrote. It reads each file only
 * once.
 */
class DeclarationReader {
  readonly #folder: string
  readonly #files = new Map<string, ReadonlyMap<string, readonly Declaration[]>>()

  /** `folder` has the emitted declarations, with a folder for each package. */
  constructor(folder: string) {
    this.#folder = folder
  }

  describe(entry: string, { name, declaredName, file }: ExportedName): Described {
    const declarations = file === undefined ? undefined : this.#read(file).get(declaredName)
    if (declarations === undefined)
      throw new DocsError('DOCS_BUILD_FAILED', `${entry} exports ${name}, and its declaration in ${file} was not found`)
    return { name, declarations }
  }

  #read(file: string): ReadonlyMap<string, readonly Declaration[]> {
    const known = this.#files.get(file)
    if (known !== undefined) return known
    const path = join(this.#folder, file.replace(/\.ts$/, '.d.ts'))
    const found = existsSync(path)
      ? declarationsOf(readFileSync(path, 'utf8'))
      : new Map<string, readonly Declaration[]>()
    this.#files.set(file, found)
    return found
  }
}

/**
 * Returns an example of an import from this entry. It imports the name that a program probably uses first, such as
 * `createRpc`.
 */
function importOf(entry: string, described: readonly Described[]): string {
  const begins = described.find(({ name }) => /^(?:create|open)[A-Z]/.test(name))
  const first = begins ?? described.find((item) => !isType(item)) ?? described[0]
  return first === undefined ? '' : `import { ${isType(first) ? 'type ' : ''}${first.name} } from '${entry}'`
}

function pageOf(entry: Entry, folder: string, reader: DeclarationReader): string {
  const described = entry.names
    .map((name) => reader.describe(entry.name, name))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const parts = PARTS.flatMap(([heading, kinds]) => {
    const members = described.filter((item) => kinds.includes(kindOf(item)))
    return members.length === 0 ? [] : [`## ${heading}`, '', ...members.map(sectionOf)]
  })
  return [
    `# ${entry.name}`,
    '',
    `Generated from the docstrings of [${folder}/src](https://github.com/org/halley/tree/main/${folder}/src). [The page of the package](/packages/${folder.split('/')[1]}.md) has examples.`,
    '',
    '```ts',
    importOf(entry.name, described),
    '```',
    '',
    ...parts,
  ].join('\n')
}

function listPage(entries: readonly Entry[]): string {
  const rows = entries.map(({ name, names }) => `| [\`${name}\`](/${apiPage(name)}) | ${names.length} |`)
  return [
    '# API reference',
    '',
    'One page for each entry of each package. The pages are generated from the docstrings of the sources.',
    '',
    '| entry | names |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** Returns the pages of the API reference of the packages below `root`, by their paths on the site. */
export function apiPages(root: string): ReadonlyMap<string, string> {
  const temporary = mkdtempSync(join(tmpdir(), 'halley-declarations-'))
  try {
    emitDeclarations(root, temporary)
    const reader = new DeclarationReader(temporary)
    const packages = exportedNames(root, foldersWithEntries(root))
    const pages = [...packages].flatMap(([folder, entries]) =>
      entries.map((entry): [string, string] => [apiPage(entry.name), pageOf(entry, folder, reader)]),
    )
    return new Map([['reference/api/index.md', listPage([...packages.values()].flat())], ...pages])
  } finally {
    rmSync(temporary, { recursive: true })
  }
}
