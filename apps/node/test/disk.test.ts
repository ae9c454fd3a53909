import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startNode } from './support/node.ts'
import { HALLEY, launch, run } from './support/process.ts'
import { canMount, smallDisk } from './support/small-disk.ts'

const mountable = canMount('tests of a full and a read-only disk')

const APP = ['--proxy_app=persistent_kvstore', '--log_level=info'] as const

test.skipIf(!mountable)(
  'error: on a full disk consensus halts with the reason, and after a restart with room the chain continues',
  async () => {
    const disk = smallDisk('3m')
    const home = join(disk.path, 'home')
    await run(HALLEY, ['init', '--home', home])
    const node = await startNode(home, ...APP, '--consensus.timeout_commit=0s', '--stay-up')
    await node.saw('CONSENSUS FAILURE!!!')
    // The code of the error depends on which write fails first.
    expect(node.output()).toMatch(/CONSENSUS_(STORE|SIGNER|WAL)\w* .*(no space left|ENOSPC)/i)
    // `--stay-up` keeps the node running after the failure, so the test can read the height of the last block.
    const { sync_info: sync } = await node.ask<{ sync_info: { latest_block_height: string } }>('/status')
    await node.stop()

    disk.remount('size=60m')
    const again = await startNode(home, ...APP)
    await again.reach(Number(sync.latest_block_height) + 2)
    expect(await again.stop()).toBe(0)
  },
)

test.skipIf(!mountable)('error: on a read-only disk the start is refused in one line', async () => {
  const disk = smallDisk('60m')
  const home = join(disk.path, 'home')
  await run(HALLEY, ['init', '--home', home])
  const node = await startNode(home, ...APP)
  await node.reach(1)
  expect(await node.stop()).toBe(0)
  disk.remount('ro')
  const refused = launch(HALLEY, ['start', '--home', home, ...APP])
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toMatch(/ERROR: .*EROFS.*\[HOME_UNWRITABLE\]/)
})
