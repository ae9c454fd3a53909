import { existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { findProgram, freePort } from '@org/golden'
import { describe, expect, test } from 'vitest'
import { FAST, launchNode, makeHome, startNode, whenStarted } from './support/node.ts'
import { HALLEY, launch, type Running, run, temporaryFolder } from './support/process.ts'

const CLASSIC_LEVEL = createRequire(import.meta.url).resolve('classic-level')
const hasFlock = (await run('sh', ['-c', 'command -v flock'])).code === 0
const abciCli = findProgram('abci-cli') ?? ''

/** Starts a process that opens the LevelDB in this folder, and locks it as C++ and JavaScript programs do. */
function openLevelDb(folder: string): Running {
  const script = `new (require(${JSON.stringify(CLASSIC_LEVEL)}).ClassicLevel)(${JSON.stringify(folder)}).open().then(
    () => { console.log('database is open'); setInterval(() => undefined, 1000) },
    (error) => { console.log('database is refused', error); process.exit(1) })`
  return launch(process.execPath, ['-e', script])
}

/** Starts a process that locks the LevelDB in this folder as Go programs do. */
function flockLevelDb(folder: string): Running {
  mkdirSync(folder, { recursive: true })
  return launch('flock', ['-n', '-E', '9', join(folder, 'LOCK'), 'sh', '-c', 'echo database is open; exec cat'])
}

const HOLDERS = [['a LevelDB of C++', openLevelDb] as const, ...(hasFlock ? [['an flock', flockLevelDb] as const] : [])]

describe.each(HOLDERS)("the application's databases in the node's data folder, held by %s", (_name, hold) => {
  test.each(['application.db', 'unknown-name.db'])('behavior: a node starts while %s is open', async (name) => {
    const home = await makeHome(temporaryFolder())
    const holder = hold(join(home, 'data', name))
    await holder.saw('database is open')
    const node = await startNode(home, '--proxy_app=kvstore', ...FAST)
    await node.reach(2)
    expect(holder.child.exitCode).toBeNull()
    expect(await node.stop()).toBe(0)
  })

  test.each(['application.db', 'unknown-name.db'])('behavior: %s can be opened while the node runs', async (name) => {
    const home = await makeHome(temporaryFolder())
    const database = join(home, 'data', name)
    mkdirSync(database)
    const node = await startNode(home, '--proxy_app=kvstore', ...FAST)
    expect(existsSync(join(database, 'LOCK'))).toBe(false)
    await hold(database).saw('database is open')
    await node.reach(2)
    expect(await node.stop()).toBe(0)
  })

  test('error: unsafe-reset-all removes no database that is in use', async () => {
    const home = await makeHome(temporaryFolder())
    const holder = hold(join(home, 'data', 'application.db'))
    await holder.saw('database is open')
    const refused = await run(HALLEY, ['unsafe-reset-all', '--home', home])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is in use by process .*\[HOME_LOCKED\]\n$/),
    })
    expect(existsSync(join(home, 'data', 'application.db'))).toBe(true)
  })

  test.each(['blockstore.db', 'state.db', 'evidence.db', 'tx_index.db', 'kvstore.db'])(
    'error: %s is the database of the node itself, and a start is refused',
    async (name) => {
      const home = await makeHome(temporaryFolder())
      const holder = hold(join(home, 'data', name))
      await holder.saw('database is open')
      const refused = await run(HALLEY, ['start', '--home', home, '--proxy_app=persistent_kvstore'])
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/is in use by process .*\[HOME_LOCKED\]\n$/),
      })
    },
  )
})

describe.skipIf(abciCli === '')("an application in Go keeps its database in the node's data folder", () => {
  const startApplication = async (home: string, address: string): Promise<Running> => {
    const app = launch(abciCli, ['kvstore', '--address', address, '--persist', join(home, 'data')])
    await app.saw('Waiting for new connection')
    return app
  }
  const store = '/broadcast_tx_commit?tx="a=1"'

  test('behavior: application and node work if the application starts first', async () => {
    const [home, address] = [await makeHome(temporaryFolder()), `tcp://127.0.0.1:${await freePort()}`]
    await startApplication(home, address)
    const node = await startNode(home, `--proxy_app=${address}`, ...FAST)
    expect(await node.ask(store)).toMatchObject({ tx_result: { code: 0 } })
    expect(await node.stop()).toBe(0)
  })

  test('behavior: application and node work if the node starts first and waits for the application', async () => {
    const [home, address] = [await makeHome(temporaryFolder()), `tcp://127.0.0.1:${await freePort()}`]
    const waiting = launchNode(home, `--proxy_app=${address}`, ...FAST)
    await waiting.saw(address.slice('tcp://'.length))
    await startApplication(home, address)
    const node = await whenStarted(waiting)
    expect(await node.ask(store)).toMatchObject({ tx_result: { code: 0 } })
    expect(await node.stop()).toBe(0)
  })
})
