import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PinnedProgram } from './pinned-programs.ts'
import { run } from './run.ts'
import { writePackage } from './write-package.ts'

/** Resolves with true if the registry has this version of the package. Rejects if the registry does not answer. */
export async function isPublished({ name, version }: PinnedProgram, env: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    const found = await run(['npm', 'view', `${name}@${version}`, 'version', '--json'], tmpdir(), env)
    return found.includes(version)
  } catch (error) {
    if (String((error as { readonly stdout?: string }).stdout).includes('E404')) return false
    throw error
  }
}

/**
 * Publishes the package of a pinned Node.js with npm. If the registry already has this version, resolves with false and
 * publishes nothing. Otherwise resolves with true. `env` is the complete environment of npm, which names the registry.
 */
export async function publishProgram(program: PinnedProgram, env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  if (await isPublished(program, env)) return false
  const folder = await mkdtemp(join(tmpdir(), 'halley-node-package-'))
  try {
    await run(['npm', 'pack', '--loglevel=error', `${program.source}@${program.version}`], folder, env)
    const target = join(folder, 'package')
    await writePackage(program, join(folder, `${program.source}-${program.version}.tgz`), target)
    await run(['npm', 'publish', '--loglevel=error'], target, env)
    return true
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
