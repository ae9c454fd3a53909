import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.ts'

export const ROOT: string = fileURLToPath(new URL('../../../', import.meta.url))

const MINUTES = 60_000

/** npm asks the registry that this machine is set up for; false if that does not answer within seconds. */
export async function registryAnswers(): Promise<boolean> {
  const ask = ['npm', 'view', 'hono', 'version', '--fetch-retries=0', '--fetch-timeout=8000'] as const
  return run([...ask], { cwd: ROOT, timeoutMs: 20_000 }).then(
    () => true,
    () => false,
  )
}

/** Builds and packs all that is published into `folder`; the tarballs' paths by the name of the package. */
export async function packAll(folder: string): Promise<Readonly<Record<string, string>>> {
  const pnpm = ['npx', '--yes', 'pnpm@12'] as const
  await run([...pnpm, 'build'], {
    cwd: ROOT,
    timeoutMs: 3 * MINUTES,
    env: { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
  })
  const filters = ['--filter', './packages/*', '--filter', './apps/*']
  await run([...pnpm, '--recursive', ...filters, 'pack', '--pack-destination', folder], {
    cwd: ROOT,
    timeoutMs: MINUTES,
  })
  const files = await readdir(folder)
  return Object.fromEntries(files.map((file) => [`@org/${/^org-(\w+)-/.exec(file)?.[1]}`, join(folder, file)]))
}

/** An empty project with these dependencies, installed by npm. */
export async function createProject(folder: string, dependencies: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true })
  const manifest = { name: 'consumer', version: '1.0.0', private: true, type: 'module', dependencies }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  await run(['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: folder,
    timeoutMs: 4 * MINUTES,
    // Variables that npm or pnpm set for their own project must not affect this one.
    env: { npm_config_prefix: '', npm_config_workspaces: 'false' },
  })
}
