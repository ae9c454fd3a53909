import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { API, type Symbol as Named, type Project, SymbolFlags } from 'typescript/unstable/sync'

/** A name that an entry point of a package exports. */
export interface ExportedName {
  readonly name: string
  /**
   * The name that the declaration in `file` uses. It differs from `name` if the entry point exports the declaration
   * under another name.
   */
  readonly declaredName: string
  /**
   * The file that contains the declaration, as a path from the root of the repository. `undefined` if the declaration
   * belongs to another project.
   */
  readonly file: string | undefined
}

/** An entry point of a package, such as `@org/rpc/client`. */
export interface Entry {
  readonly name: string
  readonly names: readonly ExportedName[]
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string>>
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Returns the names of the entry points of the package in `folder`. */
export function entryNames(folder: string): string[] {
  const { name, exports } = manifestOf(folder)
  return Object.keys(exports).map((entry) => `${name}${entry.slice(1)}`)
}

function originOf(project: Project, exported: Named): Named {
  let target = exported
  while ((target.flags & SymbolFlags.Alias) !== 0) {
    const next = project.checker.getImmediateAliasedSymbol(target)
    if (next === undefined) break
    target = next
  }
  return target
}

function namesOf(project: Project, root: string, path: string): ExportedName[] {
  const source = project.program.getSourceFile(path)
  const module = source && project.checker.getSymbolAtLocation(source)
  if (module === undefined) return []
  return project.checker.getExportsOfModule(module).map((exported) => {
    const origin = originOf(project, exported)
    const declaration = origin.declarations[0]?.resolve(project)
    const file = declaration?.getSourceFile().fileName
    const isOurs = file?.startsWith(root) === true && !file.includes('/node_modules/')
    return { name: exported.name, declaredName: origin.name, file: isOurs ? relative(root, file) : undefined }
  })
}

/**
 * Returns a map from each folder in `folders` to the entry points of the package in this folder. Each entry point has
 * the names that it exports.
 */
export function exportedNames(root: string, folders: readonly string[]): ReadonlyMap<string, readonly Entry[]> {
  const api = new API({ cwd: root })
  const configOf = (folder: string): string => join(root, folder, 'tsconfig.json')
  const snapshot = api.updateSnapshot({ openProjects: folders.map(configOf) })
  const entries = folders.map((folder): [string, readonly Entry[]] => {
    const project = snapshot.getProject(configOf(folder))
    const { name, exports } = manifestOf(join(root, folder))
    return [
      folder,
      Object.entries(exports).map(([entry, file]) => ({
        name: `${name}${entry.slice(1)}`,
        names: project === undefined ? [] : namesOf(project, root, join(root, folder, file)),
      })),
    ]
  })
  api.close()
  return new Map(entries)
}
