import { execFile, spawn } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort, freePortRange, makeTemporaryFolder } from '@org/golden'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject } from '../src/index.ts'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const COMMAND = join(PACKAGE, 'bin/create-chain.js')
const runFile = promisify(execFile)
/** The environment of the scripts. Like npm, it puts the folder of the running Node.js first on PATH. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}` }

/** Runs the command in a folder, without installing the packages. */
async function create(
  cwd: string,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  return runFile(process.execPath, ['--no-warnings', COMMAND, ...args], { cwd }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code: code as number, output: `${stdout}${stderr}` }),
  )
}

describe('the command', () => {
  test('the command writes a project whose manifest has the versions of this package', async () => {
    await using folder = await makeTemporaryFolder('halley-create-')
    const { code, output } = await create(folder.path, 'my-chain', '--no-install')
    expect([code, output]).toEqual([0, expect.stringContaining('npm run dev')])
    const manifest = JSON.parse(await readFile(join(folder.path, 'my-chain/package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: 'my-chain', type: 'module', dependencies: { '@org/app': 'workspace:*' } })
    expect(Object.values({ ...manifest.dependencies, ...manifest.devDependencies })).not.toContain('*')
    expect(await readFile(join(folder.path, 'my-chain/README.md'), 'utf8')).toMatch(/^# my-chain\n/)
    expect(await readFile(join(folder.path, 'my-chain/.gitignore'), 'utf8')).toContain('node_modules')
  })

  test.each([
    [['My Chain'], 'for example my-chain (CREATE_BAD_NAME)'],
    [['.hidden'], 'for example hidden (CREATE_BAD_NAME)'],
    [['Künig & Co'], 'for example kunig-co (CREATE_BAD_NAME)'],
    [['链'], 'for example my-chain (CREATE_BAD_NAME)'],
    [['node_modules'], 'for example my-chain (CREATE_BAD_NAME)'],
    [['full'], 'CREATE_FOLDER_EXISTS'],
    [['a', 'b'], 'CREATE_BAD_FLAG'],
    [['--colour'], 'CREATE_BAD_FLAG'],
  ])('a call with %j is refused', async (args, expected) => {
    await using folder = await makeTemporaryFolder('halley-create-')
    await mkdir(join(folder.path, 'full'))
    await writeFile(join(folder.path, 'full/file.txt'), 'a file of somebody')
    const { code, output } = await create(folder.path, ...args, '--no-install')
    expect([code, output]).toEqual([1, expect.stringContaining(expected)])
    expect(await readFile(join(folder.path, 'full/file.txt'), 'utf8')).toBe('a file of somebody')
  })
})

/** Starts a script of the project with the Node.js that runs the tests. */
function start(cwd: string, command: readonly string[]) {
  const [name = '', ...args] = command
  const child = spawn(name, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    output: () => output,
    ended,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Waits until the node has the block at `height`. Resolves with the latest height of the node. */
async function untilHeight(port: number, height: number): Promise<number> {
  for (const end = performance.now() + 50_000; performance.now() < end; await sleep(100)) {
    const status = await fetch(`http://127.0.0.1:${port}/status`).then(
      (answer) => answer.json() as Promise<{ result?: { sync_info: { latest_block_height: string } } }>,
      () => undefined,
    )
    const latest = Number(status?.result?.sync_info.latest_block_height ?? 0)
    if (latest >= height) return latest
  }
  return expect.fail(`no block ${height} at port ${port}`)
}

/** Returns the commands in the README of a project that begin with `begin`, without the comments after them. */
async function commandsOfReadme(project: string, begin: string): Promise<readonly string[]> {
  const readme = await readFile(join(project, 'README.md'), 'utf8')
  const lines = [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, code = '']) => code.split('\n'))
  return lines.filter((line) => line.startsWith(begin)).map((line) => line.replace(/ +#.*/, ''))
}

describe('the project', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
  let project = ''
  const bin = (name: string): string => join(PACKAGE, 'node_modules/.bin', name)

  beforeAll(async () => {
    folder = await makeTemporaryFolder('halley-created-')
    project = join(folder.path, 'my-chain')
    await createProject(project)
    // The project uses the packages of this repository, and not the packages of a registry.
    await symlink(join(PACKAGE, 'node_modules'), join(project, 'node_modules'))
  })
  afterAll(() => folder[Symbol.asyncDispose]())

  test('the README of a new project shows each script of its manifest', async () => {
    const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
    const shown = await commandsOfReadme(project, 'npm ')
    const names = shown.map((line) => line.split(' ').at(-1) ?? '')
    expect(names.toSorted()).toEqual(Object.keys(scripts).toSorted())
    expect(await commandsOfReadme(project, 'curl ')).toHaveLength(4)
  })

  test('the tests of a new project pass', async () => {
    const plain = { ...env, NO_COLOR: '1' }
    const { stdout } = await runFile(bin('vitest'), ['run', '--reporter=default'], { cwd: project, env: plain })
    expect(stdout).toMatch(/Tests +5 passed \(5\)/)
  })

  test('npm run dev: the client transfers, and receives the event', async () => {
    const [rpc, p2p] = [await freePort(), await freePort()]
    const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
      scripts: { dev: string }
    }
    const [program = '', ...args] = scripts.dev.split(' ')
    const ports = ['--rpc.laddr', `tcp://127.0.0.1:${rpc}`, '--p2p.laddr', `tcp://127.0.0.1:${p2p}`]
    const startDev = (...flags: readonly string[]) => start(project, [bin(program), ...args, ...ports, ...flags])
    const startClient = () =>
      start(project, [process.execPath, '--no-warnings', 'scripts/client.ts', `127.0.0.1:${rpc}`])

    // The loop starts the chain twice. The second start continues the chain of the first start.
    for (const rest of ['alice has "999995", bob has "5"', 'alice has "999990", bob has "10"']) {
      await using devnet = startDev()
      await untilHeight(rpc, 1)
      await using client = startClient()
      expect([await client.ended, client.output()]).toEqual([0, expect.stringContaining(rest)])
      expect(client.output()).toContain('transfer.amount')
      expect(devnet.output()).toContain('transfer')
      for (const call of await commandsOfReadme(project, 'curl ')) {
        const { stdout } = await runFile('sh', ['-euc', call.replace('127.0.0.1:26657', `127.0.0.1:${rpc}`)])
        expect([call, JSON.parse(stdout)]).toEqual([call, expect.objectContaining({ result: expect.anything() })])
      }
    }

    await using _devnet = startDev('--reset', '--app-state', '{}')
    await untilHeight(rpc, 1)
    await using client = startClient()
    expect([await client.ended, client.output()]).toEqual([1, 'refused: the balance is 0, less than 5\n'])
  })

  test('npm run network: four validators agree, and continue after a restart', async () => {
    const ports = await freePortRange(33)
    let height = 0
    for (let run = 0; run < 2; run++) {
      await using network = start(project, [process.execPath, '--no-warnings', 'scripts/network.ts', String(ports)])
      const heights = await Promise.all([0, 1, 2, 3].map((i) => untilHeight(ports + 10 * i + 1, height + 2)))
      height = Math.max(...heights)
      expect(network.output()).toContain(basename(project))
    }
  })
})
