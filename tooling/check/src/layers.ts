import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { folderFaults } from './folders.ts'
import { importsOf, packageName, sourceFiles } from './imports.ts'

/**
 * The packages of the repository that each package may use at run time. Every other import is a fault. The lists have
 * no cycle, so no two packages use each other. Tests may also use other packages, such as `@org/golden` and the
 * applications under test.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  '@org/runtime': [],
  '@org/types': ['@org/runtime'],
  '@org/abci': ['@org/runtime', '@org/types'],
  '@org/app': ['@org/runtime', '@org/types', '@org/abci'],
  '@org/create-chain': ['@org/runtime'],
  '@org/p2p': ['@org/runtime', '@org/types'],
  '@org/rpc': ['@org/runtime', '@org/types'],
  '@org/light': ['@org/runtime', '@org/types', '@org/rpc'],
  '@org/engine': ['@org/runtime', '@org/types', '@org/abci', '@org/p2p'],
  '@org/node-rpc': ['@org/runtime', '@org/types', '@org/abci', '@org/p2p', '@org/engine', '@org/rpc', '@org/light'],
  '@org/pinned-node': [],
  '@org/ui': [],
  '@org/explorer': ['@org/runtime', '@org/types', '@org/rpc', '@org/light', '@org/ui'],
  '@org/kvstore': ['@org/runtime', '@org/types', '@org/abci'],
  '@org/simnet': [
    '@org/runtime',
    '@org/types',
    '@org/abci',
    '@org/p2p',
    '@org/engine',
    '@org/rpc',
    '@org/light',
    '@org/node-rpc',
  ],
  '@org/node': [
    '@org/runtime',
    '@org/types',
    '@org/abci',
    '@org/p2p',
    '@org/engine',
    '@org/rpc',
    '@org/node-rpc',
    '@org/light',
    '@org/kvstore',
    '@org/simnet',
  ],
  '@org/playground': ['@org/runtime', '@org/types', '@org/engine', '@org/simnet', '@org/ui'],
}

/** The maximum number of lines of a source file. Tests and test vectors may be longer. */
export const MAX_LINES = 500

/**
 * The tools that test parts of packages which the packages do not export. They may import files of packages by their
 * path.
 */
const TOOLS_WITH_INTERNAL_IMPORTS: readonly string[] = ['@org/fuzz']

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  /** The packages that a user of this package must also install, because some entries of this package need them. */
  readonly peerDependencies?: Readonly<Record<string, string>>
}

function packageFaults(root: string, directory: string): string[] {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest
  const allowed = LAYERS[manifest.name]
  const where = relative(root, directory)
  if (allowed === undefined) return [`${where}: ${manifest.name} has no row in LAYERS`]
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  const faults = declared
    .filter((name) => name.startsWith('@org/') && !allowed.includes(name))
    .map((name) => `${where}/package.json: ${manifest.name} must not depend on ${name}`)
  const source = join(directory, 'src')
  // `@org/pinned-node` has no folder `src`, so there are no imports to check.
  for (const file of existsSync(source) ? sourceFiles(source) : []) {
    if (isTest(file)) continue
    for (const specifier of importsOf(readFileSync(file, 'utf8'))) {
      const name = packageName(specifier)
      if (name === undefined || name === manifest.name) continue
      if (name.startsWith('@org/') && !allowed.includes(name)) {
        faults.push(`${relative(root, file)}: ${manifest.name} must not import ${name}`)
      } else if (!declared.includes(name)) {
        faults.push(`${relative(root, file)}: ${name} is not among the dependencies of ${manifest.name}`)
      }
    }
  }
  const folders = folderFaults(directory, manifest.name, where)
  return [...faults, ...folders, ...pathFaults(root, directory), ...lengthFaults(root, directory)]
}

const isTest = (file: string): boolean => file.endsWith('.test.ts')

/** Finds source files with more lines than the maximum. */
function lengthFaults(root: string, directory: string): string[] {
  const src = join(directory, 'src')
  if (!existsSync(src)) return []
  return sourceFiles(src)
    .filter((file) => !isTest(file))
    .map((file): [string, number] => [file, readFileSync(file, 'utf8').split('\n').length])
    .filter(([, lines]) => lines > MAX_LINES)
    .map(([file, lines]) => `${relative(root, file)}: ${lines} lines, at most ${MAX_LINES}`)
}

/**
 * Finds imports by a relative path that leads out of the package. A package may use other packages only by their
 * exports.
 */
function pathFaults(root: string, directory: string): string[] {
  return sourceFiles(directory).flatMap((file) =>
    importsOf(readFileSync(file, 'utf8'))
      .filter((specifier) => specifier.startsWith('.'))
      .filter((specifier) => relative(directory, join(dirname(file), specifier)).startsWith('..'))
      .map((specifier) => `${relative(root, file)}: ${specifier} is outside of the package`),
  )
}

/**
 * Finds imports that are not permitted in a tool or in the examples. A tool or an example may import every package that
 * its manifest declares, but only by the exports of the package.
 */
function toolFaults(root: string, directory: string): string[] {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  const undeclared = sourceFiles(directory).flatMap((file) =>
    importsOf(readFileSync(file, 'utf8'))
      .map(packageName)
      .filter((name) => name?.startsWith('@org/') && name !== manifest.name && !declared.includes(name))
      .map((name) => `${relative(root, file)}: ${name} is not among the dependencies of ${manifest.name}`),
  )
  const faults = [...undeclared, ...lengthFaults(root, directory)]
  return TOOLS_WITH_INTERNAL_IMPORTS.includes(manifest.name) ? faults : [...faults, ...pathFaults(root, directory)]
}

/** Returns all faults in the imports of the packages below `root`, and all source files that are too long. */
export function findLayerFaults(root: string): string[] {
  const foldersOf = (group: string): string[] =>
    existsSync(join(root, group)) ? readdirSync(join(root, group)).map((name) => join(root, group, name)) : []
  return [
    ...['packages', 'apps'].flatMap(foldersOf).flatMap((folder) => packageFaults(root, folder)),
    ...foldersOf('tooling').flatMap((folder) => toolFaults(root, folder)),
    ...(existsSync(join(root, 'examples')) ? toolFaults(root, join(root, 'examples')) : []),
  ]
}
