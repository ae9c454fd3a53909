import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PinnedProgram, pinnedPrograms } from '@org/node-packages'
import { ROOT } from '../packages.ts'
import { run } from '../run.ts'
import { otherPrograms } from './other-programs.ts'
import type { Registry } from './registry.ts'

const MINUTES = 60_000

/**
 * Publishes a stub: a small package in place of a package that contains Node.js. The parameter `program` describes the
 * package that the stub replaces. Resolves with this description, but with the hashes of the stub.
 */
async function publishStub(program: PinnedProgram, { env }: Registry): Promise<PinnedProgram> {
  const { name, source, version } = program
  const text = `#!/bin/sh\necho "the stub of ${name}"\n`
  const files = {
    'package.json': JSON.stringify({ name: source, version, bin: { node: 'bin/node' }, license: 'MIT' }),
    'bin/node': text,
    LICENSE: 'The licence of the stub.',
    'include/node/node.h': '// A release does not take this file.',
  }
  const folder = await mkdtemp(join(tmpdir(), 'halley-stub-program-'))
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(folder, path, '..'), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    const npm = { cwd: folder, timeoutMs: MINUTES, wholeEnv: env }
    await run(['npm', 'pack', '--loglevel=error'], npm)
    const tarball = join(folder, `${source}-${version}.tgz`)
    await run(['npm', 'publish', '--loglevel=error', tarball], npm)
    const integrity = `sha512-${createHash('sha512')
      .update(await readFile(tarball))
      .digest('base64')}`
    return { ...program, integrity, sha256: createHash('sha256').update(text).digest('hex') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Publishes the stubs for the rehearsal of a release. Resolves with the packages that contain the pinned Node.js, one
 * for each platform. The package for this machine's platform contains the real program. The packages for all other
 * platforms are stubs, because the four real programs would be 180 MB of downloads. Each stub has the name of the npm
 * package that it replaces. So the rehearsed release fetches, checks, packs and publishes a stub in the same way as a
 * real program.
 */
export async function rehearsalPrograms(registry: Registry): Promise<readonly PinnedProgram[]> {
  const stubs = new Map<string, PinnedProgram>()
  for (const program of otherPrograms()) stubs.set(program.name, await publishStub(program, registry))
  return pinnedPrograms(ROOT).map((program) => stubs.get(program.name) ?? program)
}
