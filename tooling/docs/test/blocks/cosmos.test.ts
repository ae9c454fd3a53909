import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RUN_SNIPPETS, snippet } from '../run-snippets.ts'
import { runShellBlock, type ShellLine } from './shell-block.ts'
import { createWorkspace, type Workspace } from './workspace.ts'

/**
 * A program that takes the place of the daemon of a Cosmos SDK chain, because the tests have no daemon. The program
 * accepts the flags with which the snippets `cosmos-*.sh` start the daemon, and runs the kvstore. For the node, the
 * daemon and the kvstore are the same: an application in another process. Like the daemon, this kvstore cannot go back
 * to an earlier block, because it takes no snapshots.
 */
const SIMD = `#!/bin/sh
address=tcp://127.0.0.1:26658
kind=socket
[ "$1" = start ] && shift
while [ $# -gt 0 ]; do
  case "$1" in
    --with-comet=false) ;;
    --transport) kind=$2; shift ;;
    --address) address=tcp://$2; shift ;;
    *) echo "simd has no flag $1" >&2; exit 1 ;;
  esac
  shift
done
exec kvstore --address "$address" --abci "$kind" --snapshot-interval 0
`

/** Makes the home of a chain, whose `config.toml` has free ports. */
async function prepareHome(workspace: Workspace): Promise<void> {
  workspace.addProgram('simd', workspace.replace(SIMD))
  await workspace.run('halley init --home ~/.simapp')
  const config = join(workspace.home, '.simapp/config/config.toml')
  writeFileSync(config, workspace.replace(readFileSync(config, 'utf8')))
}

const daemon: ShellLine = { runsFor: 3, output: /listening/ }

const outputOf = (name: string): RegExp => RUN_SNIPPETS[name]?.output ?? /^no such snippet$/

test.each(['cosmos-socket.sh', 'cosmos-grpc.sh', 'cosmos-plain-devnet.sh'])('behavior: %s', (name) =>
  runShellBlock(snippet(name), {
    prepare: prepareHome,
    lines: [daemon, { runsFor: 0, output: outputOf(name) }],
  }),
)

test('behavior: cosmos-devnet.sh', () =>
  runShellBlock(snippet('cosmos-devnet.sh'), {
    prepare: prepareHome,
    lines: [
      daemon,
      { runsFor: 2, output: outputOf('cosmos-devnet.sh') },
      { output: /"result"/ },
      { output: /"new_time"/ },
    ],
  }))

test('behavior: cosmos-restart.sh restarts the application, so that a devnet reverts to a snapshot', async () => {
  await using workspace = await createWorkspace()
  await prepareHome(workspace)
  cpSync(join(workspace.home, '.simapp'), join(workspace.home, '.simapp-first'), { recursive: true })
  writeFileSync(join(workspace.folder, 'restart.sh'), `${snippet('cosmos-restart.sh')}\n`, { mode: 0o755 })
  await workspace.run(snippet('cosmos-restart.sh').split('\n').at(-1) ?? '')
  const daemonId = () => readFileSync(join(workspace.folder, 'simd.pid'), 'utf8').trim()
  const first = daemonId()
  try {
    const [, command = ''] = snippet('cosmos-devnet.sh').split('\n')
    await workspace.start(command).saw(outputOf('cosmos-devnet.sh'))
    const ask = async (path: string) => {
      const answer = await fetch(`${workspace.replace('http://127.0.0.1:26657')}/${path}`)
      return (await answer.json()) as { readonly result: unknown }
    }
    await ask('advance_blocks?num_blocks=3')
    expect((await ask('dev_snapshot')).result).toEqual({ id: '1' })
    await ask('advance_blocks?num_blocks=3')
    expect((await ask('dev_revert?id="1"')).result).toMatchObject({ height: '3' })
    expect(daemonId()).not.toBe(first)
  } finally {
    await workspace.run(`kill ${daemonId()}`)
  }
})
