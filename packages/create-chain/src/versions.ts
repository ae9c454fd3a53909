import { readFile } from 'node:fs/promises'

/**
 * The dependencies of a new project. Their versions are those in the devDependencies of this package, with which the
 * template was tested.
 */
const RUNS = ['@org/abci', '@org/app', '@org/rpc', 'zod'] as const
/** The devDependencies of a new project. */
const DEVELOPS = ['@org/node', '@org/simnet', '@types/node', 'typescript', 'vitest'] as const

export interface ProjectDependencies {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>
}

/**
 * Reads the versions from the `package.json` of this package. In this repository, the file has the specifiers
 * `workspace:` and `catalog:`. In the published package, the file has version numbers in their place.
 */
export async function projectDependencies(): Promise<ProjectDependencies> {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as Manifest
  const versions = (names: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(names.map((name) => [name, manifest.devDependencies[name] ?? '*']))
  return { dependencies: versions(RUNS), devDependencies: versions(DEVELOPS) }
}
