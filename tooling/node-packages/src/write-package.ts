import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PinnedProgram } from './pinned-programs.ts'
import { run } from './run.ts'

/** The files of a source package that the published package contains too. */
const KEPT = ['bin/node', 'LICENSE'] as const

/** Throws an error with the name of the file if its hash `found` is not the hash `expected`. */
function checkHash(file: string, found: string, expected: string): void {
  if (found === expected) return
  throw new Error(`${file} has the hash ${found}, expected was ${expected}: nothing was published`)
}

const manifestOf = ({ name, source, version, os, cpu }: PinnedProgram) => ({
  name,
  version,
  description: `The program of Node.js ${version} for ${os} on ${cpu}, from the package ${source}. Part of @org/pinned-node.`,
  license: 'MIT',
  homepage: 'https://github.com/org/halley/tree/main/packages/pinned-node#readme',
  repository: { type: 'git', url: 'git+https://github.com/org/halley.git', directory: 'tooling/node-packages' },
  os: [os],
  cpu: [cpu],
  ...(os === 'linux' ? { libc: ['glibc'] } : {}),
  files: ['bin/node'],
  publishConfig: { access: 'public' },
})

const readmeOf = ({ name, source, version, integrity, sha256 }: PinnedProgram): string => `# ${name}

The program of [Node.js](https://nodejs.org) ${version}, without npm, headers and documentation. The commands \`halley\` and \`kvstore\` run
with it on a machine whose own Node.js is a different one. \`@org/pinned-node\` installs this package.

| origin | |
|---|---|
| package | \`${source}@${version}\` of the npm registry |
| its hash | \`${integrity}\` |
| SHA-256 of \`bin/node\` | \`${sha256}\` |

The program and its licence are unchanged. To compare them: \`npm pack ${source}@${version}\`, then \`tar xzOf ${source}-${version}.tgz package/bin/node | sha256sum\`.
`

/**
 * Writes the package that a release publishes for a pinned Node.js into `folder`. The program of this package comes
 * from a source package of the npm registry. The parameter `tarball` is the path of the source package. Rejects if the
 * source package does not have the hash in the lockfile. Also rejects if the program in the source package does not
 * have the hash that the launchers accept.
 */
export async function writePackage(program: PinnedProgram, tarball: string, folder: string): Promise<void> {
  const packed = createHash('sha512').update(await readFile(tarball))
  checkHash(`${program.source}@${program.version}`, `sha512-${packed.digest('base64')}`, program.integrity)
  await mkdir(folder, { recursive: true })
  const entries = KEPT.map((file) => `package/${file}`)
  await run(['tar', 'xzf', tarball, '-C', folder, '--strip-components=1', '--no-same-owner', ...entries], folder)
  const path = join(folder, 'bin/node')
  const hash = createHash('sha256').update(await readFile(path))
  checkHash(`bin/node of ${program.source}@${program.version}`, hash.digest('hex'), program.sha256)
  await chmod(path, 0o755)
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifestOf(program), null, 2)}\n`)
  await writeFile(join(folder, 'README.md'), readmeOf(program))
}
