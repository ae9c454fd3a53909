import { spawn } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@org/golden'
import { ROOT } from '../packages.ts'
import { run } from '../run.ts'
import { otherPrograms } from './other-programs.ts'

const MINUTES = 60_000

export interface Registry {
  readonly url: string
  /**
   * The complete environment for npm and pnpm. With it, they read packages from this registry and publish packages to
   * it.
   */
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** The rule of Verdaccio for packages that it serves only if they were published to it. */
const PUBLISHED_HERE = { access: '$all', publish: '$anonymous' }

/**
 * Returns the configuration of Verdaccio, a server of npm packages. Two kinds of packages are served only if they were
 * published to Verdaccio: the packages of the repository, and stubs. A stub is a small package in place of a package
 * that contains Node.js for another platform. Verdaccio takes all other packages from npm's public registry.
 */
const configuration = (folder: string): string =>
  JSON.stringify({
    storage: join(folder, 'storage'),
    uplinks: { npmjs: { url: 'https://registry.npmjs.org/' } },
    packages: {
      '@org/*': PUBLISHED_HERE,
      ...Object.fromEntries(otherPrograms().map(({ source }) => [source, PUBLISHED_HERE])),
      '**': { access: '$all', proxy: 'npmjs' },
    },
    // npm sends the package that contains Node.js as about 61 MB of base64. The default limit of Verdaccio is lower.
    max_body_size: '100mb',
    log: { type: 'stdout', level: 'warn' },
  })

/**
 * Returns this process's environment without the variables and paths of the running npm or pnpm script, so that no
 * command finds the files of this repository.
 */
function plainEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => !/^(npm_|pnpm_|INIT_CWD$|NODE_PATH$)/i.test(name))
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => !folder.startsWith(ROOT))
  return { ...(Object.fromEntries(entries) as Record<string, string>), PATH: folders.join(':') }
}

/** Installs Verdaccio from its lockfile into `folder`, and starts it on a free port of loopback. */
export async function startRegistry(folder: string): Promise<Registry> {
  await mkdir(folder, { recursive: true })
  await cp(join(ROOT, 'tooling/consumer/registry'), folder, { recursive: true })
  const install = ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'] as const
  await run(install, { cwd: folder, timeoutMs: 3 * MINUTES })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  // The configuration is written as JSON, because a reader of YAML also accepts JSON.
  await writeFile(join(folder, 'config.yaml'), configuration(folder))
  await writeFile(join(folder, 'npmrc'), `registry=${url}\n//127.0.0.1:${port}/:_authToken=rehearsal\n`)
  const program = join(folder, 'node_modules/verdaccio/bin/verdaccio')
  const args = [program, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`]
  const verdaccio = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [verdaccio.stdout, verdaccio.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise((resolve) => verdaccio.once('close', resolve))
  const stop = async (): Promise<void> => {
    verdaccio.kill('SIGTERM')
    await ended
  }
  for (let answered = false; !answered; await sleep(50)) {
    if (verdaccio.exitCode !== null) throw new Error(`verdaccio ended with ${verdaccio.exitCode}:\n${output}`)
    answered = await fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  return {
    url,
    env: { ...plainEnvironment(), NPM_CONFIG_USERCONFIG: join(folder, 'npmrc'), npm_config_registry: url },
    stop,
  }
}
