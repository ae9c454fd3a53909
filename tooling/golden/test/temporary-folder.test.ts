import { existsSync, rmSync } from 'node:fs'
import { launch } from '@org/golden'
import { expect, onTestFinished, test } from 'vitest'

const MODULE = new URL('../src/programs/temporary-folder.ts', import.meta.url).href

async function launchWithFolder(then: string) {
  const script = `
  import { writeFileSync } from 'node:fs'
  import { makeTemporaryFolder } from ${JSON.stringify(MODULE)}
  const folder = await makeTemporaryFolder('halley-temporary-')
  writeFileSync(folder.path + '/file', 'text')
  console.log('folder', folder.path)
  ${then}`
  const program = launch(process.execPath, ['--input-type=module', '-e', script])
  const path = /folder (\S+)/.exec(await program.saw('folder'))?.[1] ?? ''
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return { program, path }
}

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'behavior: the folder is removed when the process ends by %s',
  async (signal) => {
    const { program, path } = await launchWithFolder('setInterval(() => undefined, 1000)')
    expect(existsSync(`${path}/file`)).toBe(true)
    await program.stop(signal)
    await expect.poll(() => existsSync(path), { timeout: 10_000 }).toBe(false)
  },
)

test('behavior: a disposal removes the folder, and the process can then end', async () => {
  const { program, path } = await launchWithFolder(
    `await folder[Symbol.asyncDispose](); console.log('there', (await import('node:fs')).existsSync(folder.path))`,
  )
  expect(await program.ended).toBe(0)
  expect(program.output()).toContain('there false')
  expect(existsSync(path)).toBe(false)
})
