import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Json = string | { readonly [name: string]: Json }

interface Manifest {
  readonly publishConfig?: { readonly exports?: Json; readonly imports?: Json }
}

/** A path in the text of a program, such as `../dist/index.js`. */
const PATH = /[\w./-]+/g
const BUILT = 'dist/'

function filesIn(value: Json): string[] {
  return typeof value === 'string' ? [value] : Object.values(value).flatMap(filesIn)
}

/** Returns the built modules that the text of a program names, such as `dist/index.js`. */
function builtModulesIn(text: string): string[] {
  const paths = (text.match(PATH) ?? []).filter((path) => path.includes(BUILT) && path.endsWith('js'))
  return paths.map((path) => path.slice(path.lastIndexOf(BUILT)))
}

/** Returns the built modules that the files in `bin` start. Each of these files is a shell script or a small module. */
function modulesOfPrograms(folder: string): string[] {
  const programs = join(folder, 'bin')
  if (!existsSync(programs)) return []
  return readdirSync(programs).flatMap((name) => builtModulesIn(readFileSync(join(programs, name), 'utf8')))
}

/**
 * Returns the built files of a package that users can load: the files that `publishConfig` in the manifest names, and
 * the files that the programs in `bin` start. The paths begin with `folder`. Throws an `Error` if a file is missing.
 */
export function publishedEntries(folder: string): string[] {
  const { publishConfig = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const declared = [publishConfig.exports ?? {}, publishConfig.imports ?? {}].flatMap(filesIn)
  const entries = [...declared, ...modulesOfPrograms(folder)].map((file) => join(folder, file))
  for (const file of entries) if (!existsSync(file)) throw new Error(`${file} is missing: build the package first`)
  return entries
}
