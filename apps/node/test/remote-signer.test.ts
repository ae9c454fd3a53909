import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { loadFilePrivval } from '@org/engine/privval'
import { findProgram, freePort } from '@org/golden'
import { expect, test } from 'vitest'
import { FAST, launchNode, makeHome, startNode, whenStarted } from './support/node.ts'
import { HALLEY, launch, run, temporaryFolder } from './support/process.ts'
import { signFor } from './support/signer.ts'

/** Makes a home whose validator key is in another folder. */
async function homeWithoutKey(folder: string) {
  const home = await makeHome(folder)
  const elsewhere = join(folder, 'signer')
  mkdirSync(elsewhere)
  const files = { keyFile: join(elsewhere, 'key.json'), stateFile: join(elsewhere, 'state.json') }
  const own = join(home, 'config/priv_validator_key.json')
  renameSync(own, files.keyFile)
  renameSync(join(home, 'data/priv_validator_state.json'), files.stateFile)
  return { home, files, own }
}

test('default: a remote signer signs; without a signer no block is made, and no key file is made', async () => {
  const folder = temporaryFolder()
  const { home, files, own } = await homeWithoutKey(folder)
  const socket = join(folder, 'signer.sock')
  const signer = loadFilePrivval(files)
  const flags = ['--proxy_app=kvstore', `--priv_validator_laddr=unix://${socket}`, ...FAST]
  const dialled = signFor(socket, signer)
  const node = await startNode(home, ...flags)
  const hangUp = await dialled
  await node.reach(3)
  const status = await node.ask<{ validator_info: { address: string } }>('/status')
  expect(JSON.parse(readFileSync(files.keyFile, 'utf8'))).toMatchObject({ address: status.validator_info.address })
  hangUp()
  await node.saw('The remote signer disconnected')
  await node.saw('Waiting for a remote signer')
  await signFor(socket, signer)
  const { height } = await node.ask<{ height: string }>('/broadcast_tx_commit?tx="a=1"')
  expect(Number(height)).toBeGreaterThan(3)
  expect(await node.stop()).toBe(0)
  expect([existsSync(own), existsSync(join(home, 'data/priv_validator_state.json'))]).toEqual([false, false])
})

test.each([
  ['tcp://127.0.0.1:0', /^ERROR: no remote signer connected within 3000 ms \[PRIVVAL_NO_SIGNER\]\n$/],
  [
    'grpc://127.0.0.1:1',
    /^ERROR: error in config: --priv_validator_laddr: priv_validator_laddr = "grpc:.* must be empty, tcp:\/\/host:port or unix:\/\/path \[CONFIG_VALUE\]\n$/,
  ],
  ['unix:///no/such/folder/a.sock', /^ERROR: cannot listen for a remote signer on unix:.* \[PRIVVAL_LISTEN\]\n$/],
])(
  'error: a start with the address %s, at which no signer dials in, is refused in one coded line',
  async (address, line) => {
    const home = await makeHome(temporaryFolder())
    const flags = ['--proxy_app=kvstore', '--rpc.laddr=tcp://127.0.0.1:0', '--log_level=none']
    const finished = await run(HALLEY, ['start', '--home', home, ...flags, `--priv_validator_laddr=${address}`])
    expect(finished.code).toBe(1)
    expect(finished.stderr).toMatch(line)
  },
)

const privValServer = findProgram('priv_val_server', "the reference's remote signer")

test.skipIf(privValServer === undefined)(
  'behavior: the signer of the reference signs over a secret connection',
  async () => {
    const { home, files } = await homeWithoutKey(temporaryFolder())
    const { chain_id } = JSON.parse(readFileSync(join(home, 'config/genesis.json'), 'utf8')) as { chain_id: string }
    const address = `tcp://127.0.0.1:${await freePort()}`
    const dial = () =>
      launch(privValServer ?? '', [
        ...['-addr', address, '-chain-id', chain_id],
        ...['-priv-key', files.keyFile, '-priv-state', files.stateFile],
      ])
    const launched = launchNode(home, '--proxy_app=kvstore', `--priv_validator_laddr=${address}`, ...FAST)
    // The signer gives up if it finds no listening node within a second. So the signer starts after the node listens.
    await launched.saw('Listening for a remote signer')
    const signer = dial()
    const node = await whenStarted(launched)
    await node.reach(5)
    await signer.stop('SIGKILL')
    await node.saw('The remote signer disconnected')
    dial()
    const { height } = await node.ask<{ height: string }>('/broadcast_tx_commit?tx="a=1"')
    expect(Number(height)).toBeGreaterThan(5)
    expect(await node.stop()).toBe(0)
    const state = JSON.parse(readFileSync(files.stateFile, 'utf8')) as { height: string }
    expect(Number(state.height)).toBeGreaterThanOrEqual(Number(height))
  },
)
