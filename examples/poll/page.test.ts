import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findChromium, freePort, makeTemporaryFolder } from '@org/golden'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const program = findChromium('the page of the polls needs a Chromium on PATH')

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Starts a program, and waits until its output matches `wanted`. */
async function start(
  command: readonly string[],
  cwd: string,
  wanted: RegExp,
): Promise<readonly [ChildProcess, string]> {
  const [name = '', ...args] = command
  const child = spawn(name, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
        const [found] = wanted.exec(output) ?? []
        if (found !== undefined) resolve([child, found])
      })
    }
    child.once('close', (code) => reject(new Error(`${name} ended with ${code}: ${output}`)))
  })
}

describe.skipIf(program === undefined)('the page of the polls', () => {
  const open: (() => Promise<unknown>)[] = []
  let browser: Browser
  let address = ''

  let stopNode: () => Promise<unknown>

  async function run(command: readonly string[], cwd: string, wanted: RegExp) {
    const [child, found] = await start(command, cwd, wanted)
    const closed = new Promise((ended) => child.once('close', ended))
    const stop = (): Promise<unknown> => {
      child.kill('SIGTERM')
      return closed
    }
    open.push(stop)
    return { found, stop }
  }

  beforeAll(async () => {
    const folder = await makeTemporaryFolder('halley-poll-')
    open.push(async () => folder[Symbol.asyncDispose]())
    const [rpc, p2p] = [await freePort(), await freePort()]
    const ports = ['--rpc.laddr', `tcp://127.0.0.1:${rpc}`, '--p2p.laddr', `tcp://127.0.0.1:${p2p}`]
    const halley = pathOf('../../apps/node/bin/halley')
    const node = await run([halley, 'devnet', '--app', pathOf('app.ts'), ...ports], folder.path, /RPC .*\n/)
    stopNode = node.stop
    const { found: origin } = await run(
      [process.execPath, '--no-warnings', pathOf('serve.ts'), '0'],
      folder.path,
      /http:\S+/,
    )
    address = `${origin}/?node=127.0.0.1:${rpc}`
    browser = await chromium.launch({ executablePath: program as string, args: ['--no-sandbox'] })
    open.push(() => browser.close())
  }, 60_000)
  afterAll(async () => {
    for (const close of open.reverse()) await close()
  })

  /** Opens the page for a new person, whose browser makes a new key. */
  async function person(): Promise<Page> {
    const page = await (await browser.newContext()).newPage()
    await page.goto(address)
    return page
  }
  const state = (page: Page, text: string) => page.locator('#state', { hasText: text }).waitFor()
  const count = (page: Page, text: string) => page.locator('.answer', { hasText: text }).waitFor()

  test('two persons vote, and each sees the vote of the other', async () => {
    const [first, second] = [await person(), await person()]
    expect(await first.locator('#me').textContent()).not.toBe(await second.locator('#me').textContent())
    await first.fill('#question', '<b>Tea</b> or coffee?')
    await first.fill('#answers', 'tea, coffee')
    await first.click('#ask button')
    await state(first, 'In block')
    // The question of another person is shown as text, and not read as HTML.
    await second.locator('h2', { hasText: '<b>Tea</b> or coffee?' }).waitFor()
    await first.click('.answer button >> text=tea')
    await count(second, 'tea1 of 1')
    await second.click('.answer button >> text=coffee')
    await count(first, 'coffee1 of 2')
  })

  test('the key survives a reload, so that no person votes twice', async () => {
    const page = await person()
    await page.click('.answer button >> text=tea')
    await count(page, 'tea2 of 3')
    const me = await page.locator('#me').textContent()
    await page.reload()
    expect(await page.locator('#me').textContent()).toBe(me)
    await page.click('.answer button >> text=coffee')
    await state(page, 'Refused: each account votes once')
  })

  test('error: the page soon shows that the node has ended', async () => {
    const page = await person()
    await page.locator('h2').waitFor()
    await stopNode()
    // It takes about a second. The limit is longer, because the machine of a test may be busy.
    await page.locator('#state', { hasText: 'Trying again' }).waitFor({ timeout: 8000 })
  })
})
