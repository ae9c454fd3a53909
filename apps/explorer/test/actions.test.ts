import { executable, launchBrowser, open } from '@org/ui/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from './support/devnet.ts'
import { type Site, startSite } from './support/site.ts'

describe.skipIf(executable === undefined)('more screens, beside a network of two validators', () => {
  let browser: Browser
  let site: Site
  let devnet: Devnet

  beforeAll(async () => {
    ;[browser, site, devnet] = await Promise.all([launchBrowser(), startSite(), startDevnet('--validators', '2')])
  })
  afterAll(async () => {
    await browser?.close()
    await devnet?.stop()
    await site?.close()
  })

  const at = (place: string): string => `${site.origin}/?rpc=${devnet.url}#/${place}`

  test('default: consensus shows the votes of both validators, the lock and the decision', async () => {
    const { page, complaints } = await open(browser, at('consensus'))
    const before = page.getByRole('region', { name: /^Before: height \d+, decided after / })
    await before.waitFor()
    const bars = before.getByRole('img', { name: /^100 % of the power voted for the block/ })
    await expect.poll(() => bars.count()).toBe(2)
    await expect.poll(() => before.locator('.timeline circle').count()).toBeGreaterThanOrEqual(4)
    await before.getByText(/locked after/).waitFor()
    await before.getByText(/1 part, complete after/).waitFor()
    await page.getByText('Height, round, step').first().waitFor()
    const height = await before.getAttribute('aria-label')
    await expect.poll(() => before.getAttribute('aria-label')).not.toBe(height)
    expect(complaints).toEqual([])
  })

  test('default: the screen of the peers shows their traffic', async () => {
    const { page, complaints } = await open(browser, at('peers'))
    await page.getByText('1 peer').waitFor()
    const row = page.locator('tbody tr')
    await row.getByText('127.0.0.1').waitFor()
    expect(await row.textContent()).toMatch(/[\d.]+ k?B\/s/)
    expect(complaints).toEqual([])
  })

  test('default: the screen of the chain shows the genesis, the parameters and the node', async () => {
    const { page, complaints } = await open(browser, at('chain'))
    await page.getByText('at most 100,000 blocks and 2 days').waitFor()
    const genesis = JSON.parse(
      (await page.getByRole('region', { name: 'Genesis' }).locator('pre').first().textContent()) ?? '',
    )
    const { genesis: wanted } = await devnet.ask('/genesis')
    expect(genesis).toEqual(wanted)
    expect(complaints).toEqual([])
  })

  test('default: a transaction is sent, found in its block, and the application has its value', async () => {
    const { page, complaints } = await open(browser, at('send'))
    await page.getByLabel('Transaction', { exact: true }).fill('comet=halley')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('0 (accepted)').waitFor()
    await page.getByLabel('Data', { exact: true }).fill('comet')
    await page.getByRole('button', { name: 'Query' }).click()
    await page.getByText('0 (ok)').waitFor()
    await page.getByRole('region', { name: 'the value as Text' }).getByText('halley', { exact: true }).waitFor()
    await page.getByLabel('Form of transaction').selectOption('hex')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('an even number of hex digits is expected').waitFor()
    expect(complaints).toEqual([])
  })

  test('default: the search completes keys that the chain has, and finds transactions and blocks', async () => {
    await devnet.sendTx('planet=earth')
    const { page, complaints } = await open(browser, at('search'))
    const field = page.getByRole('combobox')
    await field.fill('app.k')
    await page.getByRole('option', { name: 'app.key', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: '=', exact: true }).click()
    await field.pressSequentially("'planet'")
    await page.keyboard.press('Enter')
    await page.getByText('1 found').waitFor()
    await page.reload()
    await page.getByText('1 found').waitFor()
    await page.goto(at(`search?in=blocks&q=${encodeURIComponent('block.height < 4')}`))
    await page.getByText('3 found').waitFor()
    expect(complaints).toEqual([])
  })

  test('error: a query that the node refuses is explained', async () => {
    const { page } = await open(browser, at(`search?q=${encodeURIComponent("app.key='a' OR app.key='b'")}`))
    await page.getByText('The query language has no OR').waitFor()
    await page.getByRole('alert').getByText('The node refused the call.').waitFor()
  })
})

describe.skipIf(executable === undefined)('the buttons of a devnet', () => {
  let browser: Browser
  let site: Site
  let devnet: Devnet

  beforeAll(async () => {
    ;[browser, site, devnet] = await Promise.all([
      launchBrowser(),
      startSite(),
      startDevnet('--control', '--validators', '4'),
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await devnet?.stop()
    await site?.close()
  })

  const at = (): string => `${site.origin}/?rpc=${devnet.url}#/devnet`

  test('default: the buttons for blocks, time, snapshots and faults work, and the page shows their effects', async () => {
    const { page, complaints } = await open(browser, `${site.origin}/?rpc=${devnet.url}#/`)
    await page.getByRole('link', { name: 'Devnet' }).click()
    const log = page.getByRole('log')
    await page.getByRole('button', { name: 'Mine 10', exact: true }).click()
    const mined = Number(/height (\d+)/.exec((await log.getByText('Mined: height').textContent()) ?? '')?.[1])
    await page.getByRole('link', { name: String(mined), exact: true }).waitFor()
    await page.getByRole('button', { name: 'Take a snapshot' }).click()
    await page.getByRole('button', { name: '+ 1 day' }).click()
    await log.getByText(/The clock of the chain: /).waitFor()
    await page.getByRole('button', { name: 'Mine a block' }).click()
    await page.getByRole('link', { name: String(mined + 1), exact: true }).waitFor()
    await page.getByRole('button', { name: /^Revert to / }).click()
    await log.getByText(`Reverted: height ${mined}`).waitFor()
    await expect.poll(() => page.locator('[data-row]').first().textContent()).toBe(String(mined))
    // One of the validators runs the node to which the page is connected. A call that crashes this node fails with an
    // error. The loop crashes one validator after the other, until the page shows this error.
    for (let row = 0; (await log.locator('.bad').count()) === 0; row++) {
      const lines = await log.locator('li').count()
      await page.getByRole('button', { name: 'Crash' }).nth(row).click()
      await expect.poll(() => log.locator('li').count()).toBe(lines + 1)
      if ((await log.locator('.bad').count()) > 0) break
      await page.getByRole('button', { name: 'Restart' }).nth(row).click()
      await expect.poll(() => log.locator('li').count()).toBe(lines + 2)
    }
    await page.getByRole('button', { name: 'Double-sign' }).last().click()
    await log.getByText(/^Double-sign: [0-9A-F]{8} signed two votes: the evidence is in a block$/).waitFor()
    const { last_height: height } = (await devnet.ask('/blockchain')) as { readonly last_height: string }
    await expect.poll(() => page.locator('[data-row]').first().textContent()).toBe(height)
    expect(complaints).toEqual([])
    const blocks = Number(height)
    for (let each = blocks; each > mined; each--) {
      const { block } = (await devnet.ask(`/block?height=${each}`)) as {
        readonly block: { readonly evidence: { readonly evidence: readonly unknown[] } }
      }
      if (block.evidence.evidence.length === 0) continue
      await page.goto(`${site.origin}/?rpc=${devnet.url}#/block/${each}`)
      await page.getByText('two votes in one round').waitFor()
      return
    }
    expect.unreachable('no block has the evidence')
  })

  interface Info {
    readonly validators: readonly { readonly address: string; readonly power: string }[]
    readonly delays: readonly unknown[]
    readonly held_txs: readonly unknown[]
  }
  const info = async (): Promise<Info> => (await devnet.ask('/dev_info')) as unknown as Info

  test('default: the settings and the transactions that wait are also shown as the node sent them', async () => {
    const { page } = await open(browser, at(), 360)
    await expect.poll(() => page.getByText('Raw JSON and curl').count()).toBe(2)
    for (const more of await page.getByText('Raw JSON and curl').all()) await more.click()
    await page.getByRole('region', { name: 'The call unconfirmed_txs', exact: true }).waitFor()
    const call = page.getByRole('region', { name: 'The call dev_info', exact: true })
    const body = / -d '(.*)'$/.exec((await call.locator('.curl code').textContent()) ?? '')?.[1] ?? ''
    const answer = await fetch(devnet.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result } = (await answer.json()) as { readonly result: { readonly validators: unknown } }
    const shown = JSON.parse((await call.locator('pre').textContent()) ?? '') as { readonly result: typeof result }
    expect(shown.result.validators).toEqual(result.validators)
    const outside = await page.evaluate(() => {
      const panels = [...document.querySelectorAll('.panel')]
      const right = Math.max(...panels.map((panel) => panel.getBoundingClientRect().right))
      return [...document.querySelectorAll('.panel input')].filter((one) => one.getBoundingClientRect().right > right)
        .length
    })
    expect(outside).toBe(0)
  })

  test('default: a validator is removed and added again, with another power', async () => {
    const { page, complaints } = await open(browser, at())
    const [, second] = (await info()).validators
    const { address = '' } = second ?? {}
    const name = address.slice(0, 8)
    const log = page.getByRole('log')
    const row = page.getByRole('region', { name: 'Validators' }).getByRole('row', { name })
    const panel = page.getByRole('region', { name: 'Voting power' })
    await panel.getByLabel('Validator').selectOption(address)
    await panel.getByRole('button', { name: 'Remove the validator' }).click()
    await log.getByText(new RegExp(`^Power: ${name} is removed from height \\d+ on$`)).waitFor()
    await row.getByText('removed', { exact: true }).waitFor()
    expect((await info()).validators.find((one) => one.address === address)?.power).toBe('0')
    await panel.getByLabel('Power', { exact: true }).fill('25')
    await panel.getByRole('button', { name: 'Set the power' }).click()
    await log.getByText(new RegExp(`^Power: ${name} has the power 25 from height \\d+ on$`)).waitFor()
    await row.getByText('25', { exact: true }).waitFor()
    await row.getByText('signs', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('default: a new validator is added, and is gone after the chain goes back', async () => {
    const { page, complaints } = await open(browser, at())
    const before = (await info()).validators.length
    const { id } = (await devnet.ask('/dev_snapshot')) as { readonly id: string }
    const panel = page.getByRole('region', { name: 'Voting power' })
    await panel.getByLabel('Power', { exact: true }).fill('12')
    await panel.getByRole('button', { name: 'Add a new validator' }).click()
    const log = page.getByRole('log')
    await log.getByText(/^New validator: [0-9A-F]{8}\S* has the power 12 from height \d+ on$/).waitFor()
    const added = (await info()).validators[before]
    expect(added?.power).toBe('12')
    const validators = page.getByRole('region', { name: 'Validators' })
    const row = validators.getByRole('row', { name: added?.address.slice(0, 8) ?? '' })
    await row.getByText('signs', { exact: true }).waitFor()
    expect(await panel.getByLabel('Validator').inputValue()).toBe(added?.address)
    await devnet.ask(`/dev_revert?id=${id}`)
    await row.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('default: messages of a validator are delayed, until all delays end', async () => {
    const { page, complaints } = await open(browser, at())
    const [, second, third] = (await info()).validators.map(({ address }) => address)
    const panel = page.getByRole('region', { name: 'Delay of messages' })
    await panel.getByText('No message is delayed.').waitFor()
    await panel.getByRole('combobox', { name: 'From', exact: true }).selectOption(second as string)
    await panel.getByRole('combobox', { name: 'To', exact: true }).selectOption(third as string)
    await panel.getByLabel('Milliseconds').fill('40')
    await panel.getByRole('button', { name: 'Delay by 40 ms' }).click()
    await panel.getByText(`${second?.slice(0, 8)} → ${third?.slice(0, 8)}: 40 ms`).waitFor()
    expect((await info()).delays).toEqual([{ from: second, to: third, milliseconds: '40' }])
    await panel.getByRole('combobox', { name: 'From', exact: true }).selectOption('')
    await panel.getByRole('combobox', { name: 'To', exact: true }).selectOption('')
    await panel.getByRole('button', { name: 'Delay by 40 ms' }).click()
    await panel.getByText('All messages are delayed by 40 ms.').waitFor()
    await panel.getByRole('button', { name: 'End all delays' }).click()
    await panel.getByText('No message is delayed.').waitFor()
    expect((await info()).delays).toEqual([])
    expect(complaints).toEqual([])
  })

  test('default: a transaction that waits is held, released and dropped', async () => {
    const { page, complaints } = await open(browser, at())
    const automine = page.getByRole('group', { name: 'A block for each transaction' })
    await automine.getByRole('button', { name: 'Off' }).click()
    await automine.getByRole('button', { name: 'Off', pressed: true }).waitFor()
    await devnet.ask(`/broadcast_tx_sync?tx=0x${Buffer.from('waits=1').toString('hex')}`)
    const panel = page.getByRole('region', { name: 'Transactions that wait', exact: true })
    await panel.getByText('waits=1').waitFor()
    await panel.getByRole('button', { name: 'Hold' }).click()
    await panel.getByRole('cell', { name: 'held', exact: true }).waitFor()
    expect((await info()).held_txs).toHaveLength(1)
    await panel.getByRole('button', { name: 'Release' }).click()
    await panel.getByText('waits=1').waitFor()
    await panel.getByRole('button', { name: 'Drop' }).click()
    await panel.getByText('No transaction waits.').waitFor()
    expect(await devnet.ask('/num_unconfirmed_txs')).toMatchObject({ total: '0' })
    const phone = await open(browser, at(), 360)
    await phone.page.getByRole('button', { name: 'Let sign' }).first().waitFor()
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    const buttons = phone.page.getByRole('region', { name: 'Validators' }).getByRole('button')
    const outside = await buttons.evaluateAll((all) =>
      all.filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.textContent),
    )
    expect(outside).toEqual([])
    await phone.page.close()
    await automine.getByRole('button', { name: 'On' }).click()
    await automine.getByRole('button', { name: 'On', pressed: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('default: the chain is saved to a file, and the file continues it', async () => {
    // The test before this one may have reset the chain. This test needs the height of the last block, so it makes a
    // block first.
    await devnet.ask('/advance_blocks?num_blocks=1')
    const { page, complaints } = await open(browser, at())
    const log = page.getByRole('log')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save the chain to a file' }).click()
    const file = await saved
    const { last_height: height } = (await devnet.ask('/blockchain')) as { readonly last_height: string }
    expect(file.suggestedFilename()).toMatch(new RegExp(`-${height}\\.dump$`))
    await page.getByRole('button', { name: 'Mine a block' }).click()
    await log.getByText(`Mined: height ${Number(height) + 1}`).waitFor()
    await page.getByLabel('Load a chain from a file').setInputFiles(await file.path())
    await log.getByText(`Loaded: height ${height}`).waitFor()
    await expect.poll(() => page.locator('[data-row]').first().textContent()).toBe(height)
    expect(complaints).toEqual([])
    await page.getByLabel('Load a chain from a file').setInputFiles({
      name: 'other.dump',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from('not a dump'),
    })
    await log.getByText(/^Failed: this is not a dump of a devnet: .*\[DEVNET_DUMP_FOREIGN\]$/).waitFor()
  })

  test('behavior: after a reset of the chain, screens show no block of the old chain', {
    timeout: 20_000,
  }, async ({ onTestFinished }) => {
    // This test expects that a reset removes block 5. The other tests load a chain from a file into their devnet, and a
    // reset of that devnet keeps the blocks of the file. So this test starts a devnet of its own.
    const own = await startDevnet('--control', '--validators', '4')
    onTestFinished(own.stop)
    await own.ask('/advance_blocks?num_blocks=8')
    const block = await open(browser, `${site.origin}/?rpc=${own.url}#/block/5`)
    await block.page.getByText(/of 4 validators signed/).waitFor()
    const live = await open(browser, `${site.origin}/?rpc=${own.url}#/consensus`)
    await live.page.getByText('Waiting for the next step of consensus').waitFor()
    await expect
      .poll(async () => {
        await own.ask('/advance_blocks?num_blocks=1')
        return live.page.getByText(/^Now: height \d+, decided/).count()
      })
      .toBe(1)
    await own.ask('/dev_reset')
    await block.page.getByText('The chain does not have this block yet.').waitFor()
    await live.page.getByText('Waiting for the next step of consensus').waitFor()
    await own.ask('/advance_blocks?num_blocks=5')
    await expect
      .poll(() => block.page.reload().then(() => block.page.getByText('of 4 validators signed').count()))
      .toBe(1)
    expect([...block.complaints, ...live.complaints]).toEqual([])
  })
})
