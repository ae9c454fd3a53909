import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A line of the catalog, such as `  "@org/a": 1.2.3` or `  zod: ^4.0.0`. */
const ROW = /^ {2}"?([^":\s]+)"?: (\S+)$/

/** Returns the versions in the catalog of `pnpm-workspace.yaml`, by the names of the packages. */
export function catalogVersions(root: string): ReadonlyMap<string, string> {
  const lines = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8').split('\n')
  const versions = new Map<string, string>()
  for (const line of lines.slice(lines.indexOf('catalog:') + 1)) {
    // A line without an indent begins the next section.
    if (/^\S/.test(line)) break
    const [, name, version] = ROW.exec(line) ?? []
    if (name !== undefined && version !== undefined) versions.set(name, version)
  }
  return versions
}
