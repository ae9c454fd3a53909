import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const IMPORT =
  /^(?:import|export|\})[^'"\n]*\bfrom\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm
const SKIP = new Set(['node_modules', 'dist', 'recordings', 'canaries'])

/**
 * Returns every TypeScript file below a folder. Installed packages, built files, recordings and planted faults are
 * left out.
 */
export function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (SKIP.has(entry.name)) return []
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return sourceFiles(path)
    return /\.tsx?$/.test(entry.name) ? [path] : []
  })
}

/** Returns the sources of the packages in these folders of the repository. Tests are left out. */
export function packageSources(root: string, folders: readonly string[] = ['packages', 'apps']): string[] {
  return folders
    .flatMap((folder) => sourceFiles(join(root, folder)))
    .filter((file) => file.includes('/src/') && !file.endsWith('.test.ts'))
}

/** Returns the modules that a TypeScript source imports, in the order of the imports. */
export function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '')
}

/**
 * Returns the name of the package in an import, such as `@org/rpc` for `@org/rpc/client`. Returns `undefined` for
 * files, built-in modules and aliases.
 */
export function packageName(specifier: string): string | undefined {
  if (/^(\.|#|node:|https?:)/.test(specifier) || !/^@?[a-z]/.test(specifier)) return undefined
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
