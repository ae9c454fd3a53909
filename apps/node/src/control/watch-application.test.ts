import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock } from '@org/runtime'
import type { Devnet } from '@org/simnet/devnet'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { CommandContext } from '../context.ts'
import { watchApplication } from './watch-application.ts'

test('edge: the end of the watch waits for a change in progress, and later changes have no effect', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'halley-watch-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'app.ts')
  writeFileSync(file, 'one')
  const texts = ['one']
  let reloads = 0
  const reloaded = Promise.withResolvers<void>()
  const context = {
    clock: createSystemClock(),
    out: () => undefined,
    interactive: false,
    env: {},
    workingFolder: folder,
    faults: () => undefined,
  } as unknown as CommandContext
  const reload = (): Promise<void> => {
    reloads++
    return reloaded.promise
  }
  const devnet = { reload, height: () => 1, chainId: () => 'chain' } as unknown as Devnet
  const files = (): ReadonlyMap<string, string | undefined> => new Map([[file, texts.at(-1)]])
  const applications = {
    ...{ app: () => ({}), label: 'app', files },
    load: async () => undefined,
    close: async () => undefined,
  }
  const end = await watchApplication(devnet, applications, { context, run: { isNewChain: false } })
  writeFileSync(file, 'two')
  texts.push('two')
  await vi.waitFor(() => expect(reloads).toBe(1), { timeout: 10_000 })

  let isEnded = false
  const ending = Promise.resolve(end()).then(() => {
    isEnded = true
  })
  await context.clock.sleep(50)
  expect(isEnded).toBe(false)
  reloaded.resolve()
  await ending
  writeFileSync(file, 'three')
  await context.clock.sleep(200)
  expect(reloads).toBe(1)
})

test('error: control characters in the error of a replay are escaped before the error is printed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'halley-watch-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'app.ts')
  writeFileSync(file, 'one')
  const texts = ['one']
  let printed = ''
  const context = {
    ...{ clock: createSystemClock(), interactive: false, env: {}, workingFolder: folder, faults: () => undefined },
    out: (text: string) => {
      printed += text
    },
  } as unknown as CommandContext
  const devnet = {
    ...{ height: () => 0, chainId: () => 'chain', ports: { devnet: { reset: async () => 0 } } },
    reload: () => Promise.reject(new Error('the transaction \u001b[2J is refused')),
  } as unknown as Devnet
  const applications = {
    ...{ app: () => ({}), label: 'app', files: () => new Map([[file, texts.at(-1)]]) },
    load: async () => undefined,
    close: async () => undefined,
  }
  const end = await watchApplication(devnet, applications, { context, run: { isNewChain: false } })
  onTestFinished(async () => end())
  writeFileSync(file, 'two')
  texts.push('two')
  await vi.waitFor(() => expect(printed).toContain('Ready at block'), { timeout: 10_000 })
  expect(printed).toContain('A new chain begins: the transaction ')
  expect(printed).not.toContain('\u001b')
})
