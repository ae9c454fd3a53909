import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldersWithEntries } from '@org/build'
import { isExportDeclaration, isExportSpecifier } from 'typescript/unstable/ast/is'
import { API, type Symbol as Named, type Project, SymbolFlags } from 'typescript/unstable/sync'

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string>>
}

/**
 * The kinds of exported names, each with the flag by which the compiler marks symbols of this kind. The name of a
 * schema has two kinds: it is a value, and also an interface or a type.
 */
const KINDS: readonly (readonly [name: string, flag: number])[] = [
  ['class', SymbolFlags.Class],
  ['enum', SymbolFlags.Enum],
  ['function', SymbolFlags.Function],
  ['namespace', SymbolFlags.ValueModule],
  ['value', SymbolFlags.Variable],
  ['interface', SymbolFlags.Interface],
  ['type', SymbolFlags.TypeAlias],
]

const TYPES: readonly string[] = ['interface', 'type']

/** True if a name is exported by `export type`. For a class, users can then use its type but not the class itself. */
function isTypeOnly(project: Project, symbol: Named): boolean {
  return symbol.declarations.some((declaration) => {
    const node = declaration.resolve(project)
    if (node === undefined || !isExportSpecifier(node)) return false
    const statement = node.parent.parent
    return node.isTypeOnly || (isExportDeclaration(statement) && statement.isTypeOnly)
  })
}

function kindOf(project: Project, exported: Named): string {
  let target = exported
  let typeOnly = false
  while ((target.flags & SymbolFlags.Alias) !== 0) {
    typeOnly ||= isTypeOnly(project, target)
    const next = project.checker.getImmediateAliasedSymbol(target)
    if (next === undefined) break
    target = next
  }
  const kinds = KINDS.filter(([, flag]) => (target.flags & flag) !== 0).map(([name]) => name)
  if (!typeOnly) return kinds.join(' and ')
  const types = kinds.filter((kind) => TYPES.includes(kind))
  return types.length > 0 ? types.join(' and ') : 'type'
}

function namesOf(project: Project, file: string): string[] {
  const source = project.program.getSourceFile(file)
  const module = source && project.checker.getSymbolAtLocation(source)
  if (module === undefined) return ['is not in the project of the package']
  return project.checker
    .getExportsOfModule(module)
    .map((symbol) => `${symbol.name}: ${kindOf(project, symbol)}`)
    .toSorted()
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/**
 * Returns the text that lists the entries of the package in `folder`. Below each entry are its exported names with
 * their kinds.
 */
function listOf(folder: string, project: Project): string {
  const manifest = manifestOf(folder)
  const listed = Object.entries(manifest.exports).filter(([entry]) => !entry.includes('*'))
  const entries = listed.map(([entry, file]) => {
    const names = namesOf(project, join(folder, file))
    return [`${manifest.name}${entry.slice(1)}`, ...names.map((name) => `  ${name}`), ''].join('\n')
  })
  return entries.join('\n')
}

/** Returns the list of exports of each of these packages, by the folder of the package. */
export function listExports(root: string, folders: readonly string[]): Map<string, string> {
  const api = new API({ cwd: root })
  const configOf = (folder: string): string => join(root, folder, 'tsconfig.json')
  const snapshot = api.updateSnapshot({ openProjects: folders.map(configOf) })
  const lists = folders.map((folder): [string, string] => {
    const project = snapshot.getProject(configOf(folder))
    if (project === undefined) return [folder, `${configOf(folder)} is not a project\n`]
    return [folder, listOf(join(root, folder), project)]
  })
  api.close()
  return new Map(lists)
}

const LIST = 'exports.txt'

/**
 * Returns the lines that are in only one of the two lists. `held` is the list in the repository, and `actual` is the
 * list of the present sources. Each returned line shows which list has the line, and contains the name of the entry.
 */
function differences(held: string, actual: string): string[] {
  const linesOf = (text: string): Map<string, string> => {
    let entry = ''
    const lines = new Map<string, string>()
    for (const line of text.split('\n')) {
      if (line.startsWith('  ')) lines.set(`${entry} ${line}`, `${entry} exports ${line.trim()}`)
      else if (line !== '') {
        entry = line
        lines.set(entry, `entry ${entry}`)
      }
    }
    return lines
  }
  const before = linesOf(held)
  const after = linesOf(actual)
  const gone = [...before].filter(([line]) => !after.has(line)).map(([, text]) => `- ${text}`)
  const added = [...after].filter(([line]) => !before.has(line)).map(([, text]) => `+ ${text}`)
  return [...gone, ...added]
}

/**
 * Returns the faults of the exports: each difference between the exports of a package and its list of exports, and each
 * entry of a manifest whose path contains `*`.
 */
export function findExportFaults(root: string, folders = foldersWithEntries(root)): string[] {
  const patterns = folders.flatMap((folder) =>
    Object.keys(manifestOf(join(root, folder)).exports)
      .filter((entry) => entry.includes('*'))
      .map((entry) => `${folder}/package.json: the entry ${entry} is a pattern: list the entries by hand`),
  )
  const changes = [...listExports(root, folders)].flatMap(([folder, actual]) => {
    const path = join(root, folder, LIST)
    const held = existsSync(path) ? readFileSync(path, 'utf8') : ''
    return held === actual ? [] : [`${folder}/${LIST}:`, ...differences(held, actual).map((line) => `  ${line}`)]
  })
  return [...patterns, ...changes]
}

/** Writes the list of exports of each published package to its file. */
export function writeExports(root: string): void {
  for (const [folder, text] of listExports(root, foldersWithEntries(root)))
    writeFileSync(join(root, folder, LIST), text)
}
