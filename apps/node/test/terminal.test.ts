import { unpackHome } from '@org/golden'
import { describe, expect, test } from 'vitest'
import { HALLEY, launch, run, temporaryFolder } from './support/process.ts'
import { hasTerminal, onTerminal } from './support/terminal.ts'

async function chain(): Promise<string> {
  const home = temporaryFolder()
  await unpackHome('kvstore-single/home.tar.gz', home)
  return home
}

const QUIET = '--proxy_app=kvstore-v0.38 --rpc.laddr=tcp://127.0.0.1:0'

describe.skipIf(!hasTerminal)('progress on a terminal (skipped without the script command of util-linux)', () => {
  test('default: reindex-event shows its progress to the end', async () => {
    const { code, stdout } = await run(...onTerminal(`${HALLEY} reindex-event --home ${await chain()}`))
    expect(code).toBe(0)
    expect(stdout).toMatch(/reindex \[=+\] 100% \| height 75\/75/)
    expect(stdout).toContain('event re-index finished')
  })

  test('default: a start shows the replay of blocks', async () => {
    const node = launch(...onTerminal(`${HALLEY} start --home ${await chain()} ${QUIET}`))
    await node.saw('Started node')
    expect(node.output()).toMatch(/replay \[=+\] 100% \| height 75\/75/)
  })
})

test('behavior: if the output is a pipe, no progress bar is shown', async () => {
  const home = await chain()
  const { stdout, stderr } = await run(HALLEY, ['reindex-event', '--home', home])
  expect(stdout).toContain('event re-index finished')
  expect(`${stdout}${stderr}`).not.toMatch(/\[=|%/)
  const node = launch(HALLEY, ['start', '--home', home, ...QUIET.split(' ')])
  await node.saw('Started node')
  expect(node.output()).not.toMatch(/replay \[|%/)
  expect(await node.stop()).toBe(0)
})
