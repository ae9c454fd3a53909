import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HALLEY, launch, temporaryFolder } from './support/process.ts'
import { hasTerminal, onTerminal } from './support/terminal.ts'

const FLAGS = 'devnet --ephemeral --open --rpc.laddr=tcp://127.0.0.1:0'

/** Makes a program that replaces the browser: it writes its argument into a file. */
function fakeBrowser(): { readonly program: string; readonly opened: () => string } {
  const folder = temporaryFolder()
  const [program, file] = [join(folder, 'browser'), join(folder, 'opened')]
  writeFileSync(program, `#!/bin/sh\nprintf %s "$1" > '${file}.new' && mv '${file}.new' '${file}'\n`)
  chmodSync(program, 0o755)
  return { program, opened: () => (existsSync(file) ? readFileSync(file, 'utf8') : '') }
}

/**
 * Returns the environment of a devnet with a browser. `CI` is empty, because a devnet opens no page if `CI` is set, as
 * it is in a test run.
 */
const envOf = (browser: string) => ({ BROWSER: browser, CI: '', HALLEY_P2P_LADDR: 'tcp://127.0.0.1:0' })

async function stopped(devnet: ReturnType<typeof launch>): Promise<void> {
  devnet.child.kill('SIGTERM')
  await devnet.ended
}

describe.skipIf(!hasTerminal)('halley devnet --open, on a terminal', () => {
  test.each(['', ' --control', ' --validators 2'])(
    'default: devnet --open%s opens the page of the node',
    async (more) => {
      const browser = fakeBrowser()
      const devnet = launch(...onTerminal(`'${HALLEY}' ${FLAGS}${more}`), envOf(browser.program))
      await expect.poll(browser.opened, { timeout: 20_000 }).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/explorer\/$/)
      expect((await fetch(browser.opened())).status).toBe(200)
      expect(devnet.output()).toContain(`page   `)
      await stopped(devnet)
    },
  )

  test('error: for a browser that does not exist or fails, one line with a code is printed, and the chain runs', async () => {
    for (const program of ['/nowhere/browser', '/bin/false']) {
      const devnet = launch(...onTerminal(`'${HALLEY}' ${FLAGS}`), envOf(program))
      await devnet.saw('[PAGE_NO_BROWSER]')
      expect(devnet.output()).toContain(`The page was not opened: ${program} `)
      const url = /Open (http:\S+)explorer\/ yourself/.exec(devnet.output())?.[1] ?? ''
      expect((await fetch(`${url}health`)).status).toBe(200)
      await stopped(devnet)
    }
  })

  test('error: for a node that serves no page, one line is printed', async () => {
    const command = `'${HALLEY}' ${FLAGS} --rpc.explorer=false`
    const devnet = launch(...onTerminal(command), envOf(fakeBrowser().program))
    await devnet.saw('[PAGE_NOT_SERVED]')
    await stopped(devnet)
  })
})

test('behavior: without a terminal no page is opened', async () => {
  const browser = fakeBrowser()
  const devnet = launch(HALLEY, FLAGS.split(' '), envOf(browser.program))
  await devnet.saw('  curl ')
  await stopped(devnet)
  expect(browser.opened()).toBe('')
  expect(devnet.output()).not.toContain('PAGE_')
})
