import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * A relative path in quotes. Every import contains such a path, even an import in a type. A call `new URL('./a.js', …)`
 * also contains one. If another text looks like the path of a file, the package keeps that file, which does no harm.
 */
const RELATIVE_PATH = /["'](\.{1,2}\/[^"']+)["']/g
const DECLARATION = '.d.ts'
const LOADED = /\.(?:d\.ts|m?js)$/

/**
 * Returns the path of the imported file. A declaration imports `./a.ts` or `./a.js`, and the compiler reads `./a.d.ts`.
 */
function resolveImport(importer: string, specifier: string): string {
  const path = join(dirname(importer), specifier)
  return importer.endsWith(DECLARATION) ? path.replace(/\.[jt]s$/, DECLARATION) : path
}

/** Returns `entries`, and all existing files that are loaded when a program or the compiler loads `entries`. */
export function reachableFiles(entries: readonly string[]): ReadonlySet<string> {
  const found = new Set(entries)
  for (const file of found) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(RELATIVE_PATH)) {
      const imported = resolveImport(file, specifier)
      if (LOADED.test(imported) && existsSync(imported)) found.add(imported)
    }
  }
  return found
}
