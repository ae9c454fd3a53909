import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { catalogVersions, publishedFolders } from '@org/build'
import { ROOT } from '../packages.ts'

type Versions = Readonly<Record<string, string>>

interface Manifest {
  readonly name: string
  readonly dependencies?: Versions
  readonly devDependencies?: Versions
  readonly optionalDependencies?: Versions
}

/** The part of `.pnpmfile.mjs` that changes a manifest when it is published. */
interface PnpmFile {
  readonly hooks: { readonly beforePacking: (manifest: Manifest) => Manifest }
}

const manifestAt = async (path: string): Promise<Manifest> => JSON.parse(await readFile(path, 'utf8')) as Manifest

/** Returns the manifests of the published packages by their names, as they are published. */
async function publishedManifests(): Promise<ReadonlyMap<string, Manifest>> {
  const { hooks } = (await import(pathToFileURL(join(ROOT, '.pnpmfile.mjs')).href)) as PnpmFile
  const manifests = await Promise.all(
    publishedFolders(ROOT).map((folder) => manifestAt(join(ROOT, folder, 'package.json'))),
  )
  return new Map(manifests.map((manifest) => [manifest.name, hooks.beforePacking(manifest)]))
}

/** The packages of other projects that a new project installs. */
export interface ThirdParty {
  readonly dependencies: Versions
  readonly optionalDependencies: Versions
}

/**
 * Returns the packages of other projects that a new project installs. Some of these packages are in the manifest of the
 * new project. The others are in the manifests of the Halley packages that the new project installs. The parameter
 * `project` is the path of the manifest of the new project.
 */
export async function thirdPartyOf(project: string): Promise<ThirdParty> {
  const ownManifests = await publishedManifests()
  const catalog = catalogVersions(ROOT)
  const found = { dependencies: {} as Record<string, string>, optionalDependencies: {} as Record<string, string> }
  const { dependencies, devDependencies } = await manifestAt(project)
  const queue: Manifest[] = [{ name: 'project', dependencies: { ...dependencies, ...devDependencies } }]
  const seen = new Set<string>()
  for (const manifest of queue) {
    for (const kind of ['dependencies', 'optionalDependencies'] as const) {
      for (const [name, range] of Object.entries(manifest[kind] ?? {})) {
        const next = ownManifests.get(name)
        if (next === undefined && !name.startsWith('@org/')) {
          found[kind][name] = range === 'catalog:' ? (catalog.get(name) ?? range) : range
        } else if (next !== undefined && !seen.has(name)) {
          seen.add(name)
          queue.push(next)
        }
      }
    }
  }
  return found
}
