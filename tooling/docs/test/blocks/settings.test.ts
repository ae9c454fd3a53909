import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeOf } from './fenced-blocks.ts'
import { createWorkspace, root } from './workspace.ts'

test('behavior: the settings in apps/explorer/README.md make a node serve the explorer', async () => {
  const readme = readFileSync(join(root, 'apps/explorer/README.md'), 'utf8')
  const shown = codeOf(readme).fenced.find(({ language }) => language === 'toml')?.text ?? ''
  expect(shown).toMatch(/^\[rpc\]\n/)
  await using workspace = await createWorkspace()
  await workspace.run('halley init --home ./home')
  const file = join(workspace.folder, 'home/config/config.toml')
  const before = readFileSync(file, 'utf8')
  expect(before).toContain('\n[rpc]\n')
  const url = workspace.replace('http://127.0.0.1:26657')
  for (const [config, status] of [
    [before, 404],
    [before.replace('\n[rpc]\n', () => `\n${shown}`), 200],
  ] as const) {
    writeFileSync(file, config)
    const addresses = workspace.replace('--rpc.laddr=tcp://127.0.0.1:26657 --p2p.laddr=tcp://127.0.0.1:26656')
    const node = workspace.start(`halley start --home ./home --proxy_app=kvstore ${addresses}`)
    await node.saw(/committed state/)
    expect((await fetch(`${url}/explorer/`)).status).toBe(status)
    expect(await node.stop('SIGINT')).toBe(0)
  }
})
