import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  readonly private?: boolean
  readonly exports?: object
}

const manifestOf = (root: string, folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest

/** Returns the folders of the packages that are published, as paths from the folder `root` of the repository. */
export function publishedFolders(root: string): string[] {
  return ['packages', 'apps']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
    .filter((folder) => manifestOf(root, folder).private !== true)
}

/** Returns the folders of the published packages that export modules. `@org/pinned-node` only installs a program. */
export function foldersWithEntries(root: string): string[] {
  return publishedFolders(root).filter((folder) => manifestOf(root, folder).exports !== undefined)
}
