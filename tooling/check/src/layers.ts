import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Which of our packages each package may use at run time. Data flows one way: what is not listed here is a fault.
 * Tests may use more (`@org/golden`, and the applications under test).
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  '@org/runtime': [],
  '@org/types': ['@org/runtime'],
  '@org/abci': ['@org/runtime', '@org/types'],
  '@org/p2p': ['@org/runtime', '@org/types'],
  '@org/rpc': ['@org/runtime', '@org/types'],
  '@org/engine': ['@org/runtime', '@org/types', '@org/abci', '@org/p2p'],
  '@org/kvstore': ['@org/runtime', '@org/types', '@org/abci'],
  '@org/simnet': ['@org/runtime', '@org/types', '@org/abci', '@org/p2p', '@org/engine'],
  '@org/node': ['@org/runtime', '@org/types', '@org/abci', '@org/p2p', '@org/engine', '@org/rpc', '@org/kvstore'],
}

/** No source file may be longer than this; tests and vectors aside. */
export const MAX_LINES = 500

const IMPORT =
  /^(?:import|export|\})[^'"\n]*\bfrom\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm
const SKIP = new Set(['node_modules', 'dist', 'recordings', 'canaries'])

export function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (SKIP.has(entry.name)) return []
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return sourceFiles(path)
    return entry.name.endsWith('.ts') ? [path] : []
  })
}

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
}

function packageFaults(root: string, directory: string): string[] {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest
  const allowed = LAYERS[manifest.name]
  const where = relative(root, directory)
  if (allowed === undefined) return [`${where}: ${manifest.name} has no row in LAYERS`]
  const declared = Object.keys(manifest.dependencies ?? {})
  const faults = declared
    .filter((name) => name.startsWith('@org/') && !allowed.includes(name))
    .map((name) => `${where}/package.json: ${manifest.name} must not depend on ${name}`)
  for (const file of sourceFiles(join(directory, 'src'))) {
    const text = readFileSync(file, 'utf8')
    const isTest = file.endsWith('.test.ts')
    const lines = text.split('\n').length
    if (!isTest && lines > MAX_LINES) faults.push(`${relative(root, file)}: ${lines} lines, at most ${MAX_LINES}`)
    if (isTest) continue
    for (const [, from, bare, dynamic] of text.matchAll(IMPORT)) {
      const name = packageName(from ?? bare ?? dynamic ?? '')
      if (name === undefined || name === manifest.name) continue
      if (name.startsWith('@org/') && !allowed.includes(name)) {
        faults.push(`${relative(root, file)}: ${manifest.name} must not import ${name}`)
      } else if (!declared.includes(name)) {
        faults.push(`${relative(root, file)}: ${name} is not among the dependencies of ${manifest.name}`)
      }
    }
  }
  return faults
}

function packageName(specifier: string): string | undefined {
  if (/^(\.|#|node:|https?:)/.test(specifier) || !/^@?[a-z]/.test(specifier)) return undefined
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Every way in which the packages below `root` break the layers; empty when all is well. */
export function findLayerFaults(root: string): string[] {
  return ['packages', 'apps'].flatMap((group) => {
    const folder = join(root, group)
    if (!statSync(folder, { throwIfNoEntry: false })) return []
    return readdirSync(folder).flatMap((name) => packageFaults(root, join(folder, name)))
  })
}
