import type { PinnedProgram } from './pinned-programs.ts'
import { publishProgram } from './publish-program.ts'
import { run } from './run.ts'

/** The parts of a release. */
export interface Release {
  /** The folder of the repository. */
  readonly root: string
  /** The pinned Node.js of each platform. */
  readonly programs: readonly PinnedProgram[]
  /** Flags of `changeset publish`, such as `--no-git-tag`. */
  readonly flags?: readonly string[]
  /** All environment variables of npm and pnpm, such as the variable that sets the registry. */
  readonly env?: NodeJS.ProcessEnv
}

/**
 * Publishes a release in two parts. The first part is the packages with the pinned Node.js, one for each platform. The
 * second part is the packages of the repository, which this function builds first. One package of the second part,
 * `@org/pinned-node`, depends on all packages of the first part. If these dependencies were missing in the registry,
 * `npm ci` and yarn 1 would fail. Therefore the second part begins only when the registry has all packages of the first
 * part. Versions that the registry already has are skipped. Resolves with the packages that were published, as
 * `name@version`.
 */
export async function publishRelease({
  root,
  programs,
  flags = [],
  env = process.env,
}: Release): Promise<readonly string[]> {
  const published: string[] = []
  for (const program of programs)
    if (await publishProgram(program, env)) published.push(`${program.name}@${program.version}`)
  const pnpm = ['npx', '--yes', 'pnpm@12'] as const
  await run([...pnpm, 'build'], root, { ...env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' })
  const output = await run([...pnpm, 'exec', 'changeset', 'publish', ...flags], root, env)
  const [, names = ''] = output.split('Successfully published:')
  return [...published, ...(names.match(/@org\/[\w-]+@[\w.-]+/g) ?? [])]
}
