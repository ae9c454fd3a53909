import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publishedFolders } from '@org/build'
import { run } from './run.ts'

export const ROOT: string = fileURLToPath(new URL('../../../', import.meta.url))

const MINUTES = 60_000

/** Resolves with true if the package registry in the configuration of npm answers within a few seconds. */
export async function registryAnswers(): Promise<boolean> {
  const ask = ['npm', 'view', 'hono', 'version', '--fetch-retries=0', '--fetch-timeout=8000'] as const
  return run([...ask], { cwd: ROOT, timeoutMs: 20_000 }).then(
    () => true,
    () => false,
  )
}

const PNPM = ['npx', '--yes', 'pnpm@12'] as const

/** Builds every package that is published, each into its `dist` folder. */
export async function buildAll(): Promise<void> {
  const env = { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }
  await run([...PNPM, 'build'], { cwd: ROOT, timeoutMs: 3 * MINUTES, env })
}

/**
 * Builds every published package, and packs it into `folder`. Returns the path of each tarball by the name of its
 * package.
 */
export async function packAll(folder: string): Promise<Readonly<Record<string, string>>> {
  await buildAll()
  const filters = publishedFolders(ROOT).flatMap((folder) => ['--filter', `./${folder}`])
  await run([...PNPM, '--recursive', ...filters, 'pack', '--pack-destination', folder], {
    cwd: ROOT,
    timeoutMs: MINUTES,
  })
  const files = await readdir(folder)
  return Object.fromEntries(files.map((file) => [`@org/${/^org-([\w-]+?)-\d/.exec(file)?.[1]}`, join(folder, file)]))
}

/** Returns the version of the compiler that makes the packages' declarations. The same compiler checks them. */
export async function typescriptVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as PackageManifest
  return manifest.devDependencies.typescript
}

interface PackageManifest {
  readonly devDependencies: { readonly typescript: string }
}
