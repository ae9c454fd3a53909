import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Json = string | boolean | number | null | readonly Json[] | { readonly [name: string]: Json }
type Manifest = Record<string, Json>

interface RootManifest {
  readonly license: string
  readonly homepage: string
  readonly bugs: { readonly url: string }
  readonly repository: { readonly type: string; readonly url: string }
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** The folders of the packages that are published, below `root`. */
export function publishedFolders(root: string): string[] {
  return ['packages', 'apps'].flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
}

/**
 * The members of a published manifest that are derived from the manifest of the repository. npm's provenance needs
 * `repository`.
 */
function sharedMembers(repository: RootManifest, folder: string): Manifest {
  return {
    license: repository.license,
    homepage: `${repository.homepage}/tree/main/${folder}#readme`,
    bugs: repository.bugs,
    repository: { ...repository.repository, directory: folder },
  }
}

function faultsOf(root: string, folder: string): string[] {
  const manifest = read(join(root, folder, 'package.json')) as Manifest
  const shared = sharedMembers(read(join(root, 'package.json')) as RootManifest, folder)
  const faults = Object.entries(shared)
    .filter(([name, wanted]) => JSON.stringify(manifest[name]) !== JSON.stringify(wanted))
    .map(([name, wanted]) => `${folder}/package.json: "${name}" must be ${JSON.stringify(wanted)}`)
  const files = manifest.files as readonly string[]
  for (const name of ['README.md', 'CHANGELOG.md'])
    if (!files.includes(name)) faults.push(`${folder}/package.json: "files" must contain "${name}"`)
  return faults
}

/** The published manifests that differ from the repository's manifest in the shared members. */
export function findManifestFaults(root: string): string[] {
  return publishedFolders(root).flatMap((folder) => faultsOf(root, folder))
}

/** Writes the shared members into every published manifest, before the member `type`. */
export function writeManifests(root: string): void {
  const repository = read(join(root, 'package.json')) as RootManifest
  for (const folder of publishedFolders(root)) {
    const path = join(root, folder, 'package.json')
    const shared = sharedMembers(repository, folder)
    const own = Object.entries(read(path) as Manifest).filter(([name]) => !(name in shared))
    const at = own.findIndex(([name]) => name === 'type')
    const members = [...own.slice(0, at), ...Object.entries(shared), ...own.slice(at)]
    writeFileSync(path, `${JSON.stringify(Object.fromEntries(members), null, 2)}\n`)
  }
}
