import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { freePort } from '@org/golden'
import { ROOT, typescriptVersion } from '../packages.ts'
import { run } from '../run.ts'
import { CREATE_TRIAL } from './create-trial.ts'
import { NPM_TRIAL } from './npm-trial.ts'
import { installFrom } from './publish.ts'
import { recordedBlock } from './recorded-block.ts'
import type { Trial } from './trial.ts'
import { whenHealthy } from './when-healthy.ts'

async function runDevnet(
  folder: string,
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<string> {
  const [rpc, p2p] = [await freePort(), await freePort()]
  const ports = ['--rpc.laddr', `tcp://127.0.0.1:${rpc}`, '--p2p.laddr', `tcp://127.0.0.1:${p2p}`]
  // The command has its own process group, so that a signal reaches all of its processes. npx does not send a signal
  // to the command that it started.
  const npx = spawn('npx', ['--no-install', 'halley', 'devnet', '--home', 'home', ...ports, ...flags], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [npx.stdout, npx.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise((resolve) => npx.once('close', resolve))
  try {
    const url = `http://127.0.0.1:${rpc}`
    await whenHealthy(url, () => (npx.exitCode === null ? undefined : `halley ended with ${npx.exitCode}:\n${output}`))
    const answer = await (await fetch(`${url}/broadcast_tx_commit?tx="name=satoshi"`)).json()
    const viewer = await fetch(`${url}/docs/swagger-ui-bundle.js`)
    assert.equal(viewer.status, 200, await viewer.text())
    const { result } = answer as { result?: { tx_result: { code: number }; height: string } }
    if (result?.tx_result.code !== 0) throw new Error(`broadcast_tx_commit answered ${JSON.stringify(answer)}`)
    return `a transaction is in block ${result.height}`
  } finally {
    if (npx.pid !== undefined && npx.exitCode === null) process.kill(-npx.pid, 'SIGTERM')
    await ended
  }
}

export const TRIALS: readonly Trial[] = [
  {
    name: '@org/node: npx halley devnet makes a chain',
    async run(registry) {
      await using project = await installFrom(registry, { packages: ['@org/node'] })
      // `await` is necessary here. Without it, the folder of the project would be removed before the devnet has
      // ended.
      return await runDevnet(project.folder, registry.env)
    },
  },
  {
    name: '@org/node: a machine with the pinned line of Node.js gets no second Node.js',
    async run(registry) {
      // This file runs on the Node.js that the repository pins.
      const env = { ...registry.env, PATH: `${dirname(process.execPath)}:${registry.env.PATH}` }
      await using project = await installFrom({ ...registry, env }, { packages: ['@org/node'] })
      const installed = await readdir(join(project.folder, 'node_modules/@org'))
      const runtimes = installed.filter((name) => /^node-(linux|darwin)-/.test(name))
      // On Linux, the repository pins Node.js 24. The published packages accept Node.js 24, so npm installs no second
      // Node.js. The npm registry has no package with this version for macOS, so the repository pins a later version
      // there. The published packages do not accept the later version, so npm also installs their own Node.js.
      assert.equal(runtimes.length > 0, !process.version.startsWith('v24.'), runtimes.join(', '))
      return await runDevnet(project.folder, env)
    },
  },
  {
    name: '@org/node: halley devnet --app runs a TypeScript file',
    async run(registry) {
      await using project = await installFrom(registry, { packages: ['@org/node'] })
      // The application imports `@org/abci` and `@org/types`, which are not installed in this folder. The command
      // `halley` loads these packages from its own installation.
      const app = `import { type Application } from '@org/abci'
        import { utf8ToBytes } from '@org/types/bytes'
        const hash: Uint8Array = utf8ToBytes('one')
        export default (): Application => ({
          finalizeBlock: ({ txs }) => ({ txResults: txs.map(() => ({ code: 0 })), appHash: hash }),
        })`
      await writeFile(join(project.folder, 'app.ts'), app)
      return await runDevnet(project.folder, registry.env, ['--app', './app.ts'])
    },
  },
  {
    name: '@org/simnet: an application is tested',
    async run(registry) {
      await using project = await installFrom(registry, {
        packages: ['@org/simnet'],
        template: join(ROOT, 'tooling/consumer/application'),
      })
      const options = { cwd: project.folder, timeoutMs: 60_000, wholeEnv: registry.env }
      // This project has no @org/node, so the tests run on the machine's Node.js, which may be version 20.
      const output = await run(['node', '--test', '--test-reporter=tap'], options)
      assert.match(output, /^# pass 2$/m)
      return 'two tests passed, one of them on four validators'
    },
  },
  {
    name: '@org/rpc: mounted in an app of hono, with strict types',
    async run(registry) {
      await using project = await installFrom(registry, {
        packages: [
          '@org/rpc',
          '@org/abci',
          '@org/types',
          '@org/runtime',
          'hono@4',
          '@hono/node-server@2',
          '@types/node@24',
          `typescript@${await typescriptVersion()}`,
        ],
        template: join(ROOT, 'tooling/consumer/project'),
      })
      await writeFile(join(project.folder, 'block.json'), recordedBlock())
      const options = { cwd: project.folder, timeoutMs: 60_000, wholeEnv: registry.env }
      await run(['npx', '--no-install', 'tsc', '-p', '.'], options)
      const { announced, paths, ...rest } = JSON.parse(await run(['node', 'out/main.js'], options)) as Record<
        string,
        unknown
      >
      assert.deepEqual(rest, {
        hash: announced,
        signature: true,
        info: 'ten lines',
        coded: 'MINE',
        mine: 'mine',
        health: { jsonrpc: '2.0', id: -1, result: {} },
        height: 1,
        sameHeader: 8,
        refused: 'RPC_CLIENT_REFUSED',
      })
      assert.ok(Number(paths) > 25, `${paths} paths in the description`)
      return `${paths} paths in the description`
    },
  },
  CREATE_TRIAL,
  NPM_TRIAL,
]
