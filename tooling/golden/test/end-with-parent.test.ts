import { launch } from '@org/golden'
import { expect, onTestFinished, test } from 'vitest'

const MODULE = new URL('../src/programs/end-with-parent.ts', import.meta.url).href

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'behavior: a child ends when its parent ends by %s',
  async (signal) => {
    const script = `
    import { spawn } from 'node:child_process'
    import { endWithParent } from ${JSON.stringify(MODULE)}
    const child = spawn('sleep', ['600'], { stdio: 'ignore' })
    endWithParent(child)
    console.log('child', child.pid)
    setInterval(() => undefined, 1000)`
    const parent = launch(process.execPath, ['--input-type=module', '-e', script])
    const pid = Number(/child (\d+)/.exec(await parent.saw('child'))?.[1])
    onTestFinished(() => {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    })
    expect(isAlive(pid)).toBe(true)
    await parent.stop(signal)
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
  },
)
