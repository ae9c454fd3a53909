import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock, createSystemRandom, noopLogger } from '@org/runtime'
import { expect, onTestFinished, test } from 'vitest'
import type { CommandContext } from '../context.ts'
import { openHome } from '../home/open-home.ts'
import { createAppNode } from './app-node.ts'
import type { Report } from './report.ts'

test('edge: a signal that has aborted before the start ends a start that waits for an application', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'halley-app-node-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const clock = createSystemClock()
  const flags = new Map([
    ['rpc.laddr', 'tcp://127.0.0.1:0'],
    ['p2p.laddr', 'tcp://127.0.0.1:0'],
    ['proxy_app', `unix://${join(folder, 'nobody.sock')}`],
  ])
  const context = {
    ...{ home: folder, flags, env: {}, interactive: false, clock, random: createSystemRandom() },
    heapGrowth: { onTransaction: () => undefined, onTransfer: () => undefined, onReplay: () => undefined },
  } as unknown as CommandContext
  const home = { ...openHome(context, { create: true }), logger: noopLogger }
  const node = createAppNode(
    { home, appState: undefined, kind: 'remote' },
    { context, report: {} as Report, load: async () => undefined, onReady: () => undefined },
  )
  onTestFinished(node.stop)
  await expect(node.start(AbortSignal.abort(new Error('interrupted')))).rejects.toThrow('interrupted')
})
