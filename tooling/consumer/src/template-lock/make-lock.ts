import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProject } from '@org/create-chain'
import { ROOT } from '../packages.ts'
import { run } from '../run.ts'
import { type ThirdParty, thirdPartyOf } from './third-party.ts'

/** The lockfile of the template. A new project gets it under the name `package-lock.json`. */
export const TEMPLATE_LOCK: string = join(ROOT, 'packages/create-chain/template/_package-lock.json')

const MINUTES = 60_000

/**
 * The packages that only the scripts of a new project run. npm compares the member `engines` of a package with the
 * Node.js that runs npm, and prints a warning if they do not match. For these packages, the warning would be wrong,
 * because the scripts run them with the pinned Node.js. So the lockfile does not have the `engines` of these packages.
 */
const RUN_BY_SCRIPTS: readonly string[] = ['node_modules/vitest']

interface Entry {
  readonly version: string
  readonly integrity: string
  readonly resolved?: string
  readonly engines?: object
}

interface Lock {
  readonly packages: Readonly<Record<string, Entry>>
}

/** A package in the lockfile of a project. */
export interface LockedPackage {
  /** The folder of the package, such as `node_modules/zod`. */
  readonly path: string
  readonly name: string
  readonly version: string
  readonly resolved: string | undefined
  readonly integrity: string
}

const nameAt = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/**
 * Reads a `package-lock.json`. Returns its packages without the project itself and without the packages of this
 * repository.
 */
export async function lockedPackages(file: string): Promise<readonly LockedPackage[]> {
  const { packages } = JSON.parse(await readFile(file, 'utf8')) as Lock
  return Object.entries(packages)
    .map(([path, { version, resolved, integrity }]) => ({ path, name: nameAt(path), version, resolved, integrity }))
    .filter(({ path, name }) => path !== '' && !name.startsWith('@org/'))
}

/** A package in `pnpm-lock.yaml`, such as `'@noble/hashes@2.4.0':`. */
const LOCKED = /^ {2}'?(@?[^@'\s]+)@([^(':\s]+)'?:\n {4}resolution:/gm

/** Returns the version of each package of which `pnpm-lock.yaml` has only one version. */
async function onlyVersions(): Promise<ReadonlyMap<string, string>> {
  const versions = new Map<string, Set<string>>()
  for (const [, name = '', version = ''] of (await readFile(join(ROOT, 'pnpm-lock.yaml'), 'utf8')).matchAll(LOCKED)) {
    versions.set(name, (versions.get(name) ?? new Set()).add(version))
  }
  return new Map([...versions].flatMap(([name, [only = '', ...others]]) => (others.length === 0 ? [[name, only]] : [])))
}

/** Resolves the dependencies in an empty folder, without the packages of this repository. */
async function resolveIn(folder: string, { dependencies, optionalDependencies }: ThirdParty): Promise<Lock> {
  const direct = { ...dependencies, ...optionalDependencies }
  const others = [...(await onlyVersions())].filter(([name]) => direct[name] === undefined)
  const manifest = { private: true, dependencies, optionalDependencies, overrides: Object.fromEntries(others) }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const flags = [
    '--package-lock-only',
    '--omit-lockfile-registry-resolved',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ]
  await run(['npm', 'install', ...flags], { cwd: folder, timeoutMs: 5 * MINUTES })
  return JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as Lock
}

/**
 * Returns the entry of a package in the lockfile of the template. The entry has the address of the package in npm's
 * public registry. When npm installs the package, it replaces the public registry in this address by the user's
 * registry. If the entry had no address, npm would fetch the list of all versions of the package.
 */
function templateEntry(path: string, { version, integrity, engines, ...rest }: Entry): Entry {
  const name = nameAt(path)
  const resolved = `https://registry.npmjs.org/${name}/-/${name.split('/').at(-1)}-${version}.tgz`
  const entry = { version, resolved, integrity, ...rest }
  return engines === undefined || RUN_BY_SCRIPTS.includes(path) ? entry : { ...entry, engines }
}

/** Returns the lockfile of the template, with the versions that the lockfile of the repository has. */
export async function makeLock(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'halley-template-lock-'))
  try {
    const project = join(folder, 'project')
    await createProject(project)
    const { packages } = await resolveIn(folder, await thirdPartyOf(join(project, 'package.json')))
    const entries = Object.entries(packages)
      .filter(([path]) => path !== '')
      .map(([path, entry]) => [path, templateEntry(path, entry)])
    const lock = { lockfileVersion: 3, requires: true, packages: { '': {}, ...Object.fromEntries(entries) } }
    return `${JSON.stringify(lock, null, 2)}\n`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
