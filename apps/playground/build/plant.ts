import { readFile } from 'node:fs/promises'
import { type PlantedBug, placesOf, plantAt } from '@org/sim/planted'
import { type Plugin, parseSync } from 'vite'

/** Separates the path of a source file from the name of the bug that the bundler plants in it. */
const MARK = '?bug='

/** Returns the names of the values that a source file exports. Throws for a form of export that it does not support. */
function exportedNames(code: string, id: string): readonly string[] {
  const { program, errors } = parseSync(id, code)
  if (errors.length > 0) throw new Error(`${id} cannot be parsed: ${errors[0]?.message}`)
  return program.body.flatMap((statement) => {
    if (!statement.type.startsWith('Export')) return []
    if (statement.type !== 'ExportNamedDeclaration') throw new Error(`${id}: ${statement.type} is not supported`)
    if (statement.exportKind === 'type') return []
    const { declaration } = statement
    if (declaration?.type !== 'FunctionDeclaration' && declaration?.type !== 'ClassDeclaration')
      throw new Error(`${id}: only functions, classes and types can be exported`)
    return declaration.id === null ? [] : [declaration.id.name]
  })
}

/**
 * Returns the text of a module that replaces the source file `id`. If the parameter `bug` in the URL of the bundle
 * names a bug, the module exports the values of the source file with this planted bug. Without this parameter, the
 * module exports the values of the unchanged source file.
 */
function chooserOf(id: string, names: readonly string[], code: string): string {
  const imports = ['', ...names].map((name, i) => `import * as variant${i} from ${JSON.stringify(id + MARK + name)}`)
  const table = names.map((name, i) => `${JSON.stringify(name)}: variant${i + 1}`).join(', ')
  const choose = `const chosen = { ${table} }[new URL(import.meta.url).searchParams.get('bug')] ?? variant0`
  return [...imports, choose, ...exportedNames(code, id).map((name) => `export const ${name} = chosen.${name}`)].join(
    '\n',
  )
}

/**
 * Makes one bundle that has each source file without a bug, and one variant of the file for each bug that changes it.
 * The query `bug` in the address of the bundle chooses the bug. Without this query, the nodes have no planted bug. The
 * build fails if the bundle does not contain the code that a bug changes.
 */
export function plantedBugs(bugs: readonly PlantedBug[]): Plugin {
  const missing = new Set(bugs.flatMap(placesOf))
  const bugsIn = (file: string) => bugs.filter((bug) => placesOf(bug).some((place) => file.endsWith(place.file)))

  return {
    name: 'planted-bugs',
    enforce: 'pre',
    resolveId: (id) => (id.includes(MARK) ? id : undefined),
    load: async (id) => {
      const [file = '', name] = id.split(MARK)
      if (name === undefined) return undefined
      const code = await readFile(file, 'utf8')
      const places = bugs.filter((bug) => bug.name === name).flatMap(placesOf)
      const own = places.filter((place) => file.endsWith(place.file))
      for (const place of own) missing.delete(place)
      return own.reduce((changed, place) => plantAt(place, changed, name), code)
    },
    transform: (code, id) => {
      const own = id.includes(MARK) ? [] : bugsIn(id)
      return own.length === 0
        ? undefined
        : chooserOf(
            id,
            own.map(({ name }) => name),
            code,
          )
    },
    buildEnd: (error) => {
      if (error !== undefined) return
      for (const { file } of missing) throw new Error(`a planted bug changes ${file}, which is not in the bundle`)
    },
  }
}
