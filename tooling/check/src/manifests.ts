import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publishedFolders } from '@org/build'

type Json = string | boolean | number | null | readonly Json[] | { readonly [name: string]: Json }
type Manifest = Record<string, Json>

interface RootManifest {
  readonly license: string
  readonly homepage: string
  readonly bugs: { readonly url: string }
  readonly repository: { readonly type: string; readonly url: string }
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/**
 * Returns the members that every published manifest takes from the manifest of the repository. npm needs `repository`
 * to prove where a package was built.
 */
function sharedMembers(repository: RootManifest, folder: string): Manifest {
  return {
    license: repository.license,
    homepage: `${repository.homepage}/tree/main/${folder}#readme`,
    bugs: repository.bugs,
    repository: { ...repository.repository, directory: folder },
  }
}

/**
 * The published packages whose code is built into one bundle per package. The key is the name of the package. The value
 * is the path of its bundle, which all entries of the package load.
 */
const BUNDLED: Readonly<Record<string, string>> = { '@org/node': './dist/bundle/index.mjs' }

/**
 * Returns the entries in `exports`, each with its built file instead of its source file. Returns `undefined` for a
 * package without `exports`, which only installs programs.
 */
function builtEntries(manifest: Manifest): Manifest | undefined {
  if (manifest.exports === undefined) return undefined
  const entries = Object.entries(manifest.exports as Readonly<Record<string, string>>)
  return Object.fromEntries(
    entries.map(([entry, source]) => {
      const built = source.replace('./src/', './dist/').replace(/\.ts$/, '')
      return [entry, { types: `${built}.d.ts`, default: BUNDLED[String(manifest.name)] ?? `${built}.js` }]
    }),
  )
}

function faultsOf(root: string, folder: string): string[] {
  const manifest = read(join(root, folder, 'package.json')) as Manifest
  const shared = sharedMembers(read(join(root, 'package.json')) as RootManifest, folder)
  const faults = Object.entries(shared)
    .filter(([name, wanted]) => JSON.stringify(manifest[name]) !== JSON.stringify(wanted))
    .map(([name, wanted]) => `${folder}/package.json: "${name}" must be ${JSON.stringify(wanted)}`)
  const { exports: published } = (manifest.publishConfig ?? {}) as Manifest
  if (JSON.stringify(published) !== JSON.stringify(builtEntries(manifest)))
    faults.push(`${folder}/package.json: "publishConfig.exports" must have the built files of "exports"`)
  const files = manifest.files as readonly string[]
  for (const name of ['README.md', 'CHANGELOG.md'])
    if (!files.includes(name)) faults.push(`${folder}/package.json: "files" must contain "${name}"`)
  return faults
}

/**
 * Returns the faults of the published manifests. One example is a member, such as `license`, that must have the value
 * from the manifest of the repository, but has a different value. Another example is an entry without its built file.
 */
export function findManifestFaults(root: string): string[] {
  return publishedFolders(root).flatMap((folder) => faultsOf(root, folder))
}

/** Writes the shared members into every published manifest, in front of the member `type`. */
export function writeManifests(root: string): void {
  const repository = read(join(root, 'package.json')) as RootManifest
  for (const folder of publishedFolders(root)) {
    const path = join(root, folder, 'package.json')
    const shared = sharedMembers(repository, folder)
    const ownEntries = Object.entries(read(path) as Manifest).filter(([name]) => !(name in shared))
    const at = ownEntries.findIndex(([name]) => name === 'type')
    const members = Object.fromEntries([
      ...ownEntries.slice(0, at),
      ...Object.entries(shared),
      ...ownEntries.slice(at),
    ]) as Manifest
    const publishConfig = { ...(members.publishConfig as Manifest), exports: builtEntries(members) }
    writeFileSync(path, `${JSON.stringify({ ...members, publishConfig }, null, 2)}\n`)
  }
}
