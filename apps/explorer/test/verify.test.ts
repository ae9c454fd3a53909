import { findProgram } from '@org/golden'
import { executable, launchBrowser, open } from '@org/ui/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from './support/devnet.ts'
import { startGoNode } from './support/go-node.ts'
import { changeAnswers } from './support/lying-node.ts'
import { type Site, startSite } from './support/site.ts'

/**
 * The nodes with which the light client of the page is tested. The title of each test contains the name of its node.
 */
const NODES: readonly (readonly [name: string, start: () => Promise<Devnet>])[] = [
  ['a Halley node', () => startDevnet('--validators', '2')],
  ...(findProgram('cometbft') === undefined ? [] : [['a Go node', startGoNode] as const]),
]

describe.skipIf(executable === undefined).each(NODES)('the light client of the page, beside %s', (_name, start) => {
  let browser: Browser
  let site: Site
  let node: Devnet
  let sent: { readonly hash: string; readonly height: number }

  beforeAll(async () => {
    ;[browser, site, node] = await Promise.all([launchBrowser(), startSite(), start()])
    sent = await node.sendTx('name=satoshi')
  })
  afterAll(async () => {
    await browser?.close()
    await node?.stop()
    await site?.close()
  })

  const at = (place: string): string => `${site.origin}/?rpc=${node.url}#/${place}`
  const hashAt = async (height: number): Promise<string> =>
    ((await node.ask(`/block?height=${height}`)).block_id as { readonly hash: string }).hash

  async function startFrom(page: Page, { height, hash }: { readonly height: number; readonly hash: string }) {
    await page.getByLabel('Height that you trust').fill(String(height))
    await page.getByLabel('Hash of the block at this height').fill(hash)
    await page.getByRole('button', { name: 'Start verifying' }).click()
  }
  const mark = (page: Page) => page.getByText('✓ verified', { exact: true })

  test('default: from a header that the user gives, blocks, transactions and validators are verified', async () => {
    const { page, asked, complaints } = await open(browser, at(`block/${sent.height}`))
    await page.getByText('not verified').waitFor()
    expect(asked.filter((url) => /verifier/.test(url))).toEqual([])
    await page.goto(at('verify'))
    await startFrom(page, { height: 1, hash: await hashAt(1) })
    await page.getByText('The light client runs in this page').waitFor()
    for (const place of [`block/${sent.height}`, 'block/1', `tx/${sent.hash}`, 'validators']) {
      await page.goto(at(place))
      await mark(page).waitFor()
    }
    await page.reload()
    await mark(page).waitFor()
    await page.goto(at('verify'))
    await page.getByRole('button', { name: 'Stop, and forget the trusted header' }).click()
    await page.getByRole('button', { name: 'Start verifying' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Start verifying' }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  test('error: a hash that is not the hash of the block is refused, with advice', async () => {
    const { page } = await open(browser, at(`verify?height=1&hash=${'AB'.repeat(32)}`))
    await page.getByRole('button', { name: 'Start verifying' }).click()
    await page.getByText('The light client did not start').waitFor()
    await page.getByText('compare the hash with a source that you trust').waitFor()
    await page.getByRole('button', { name: 'Forget the trusted header' }).click()
    await startFrom(page, { height: 0, hash: 'xyz' })
    await page.getByText('The height must be a whole number from 1.').waitFor()
    await page.close()
  })

  test('error: a block, a transaction and validators that the node changes get no mark', async () => {
    const { page } = await open(browser, 'about:blank')
    await changeAnswers(page, (answer) =>
      answer
        .replace(/("app_hash":")[0-9A-F]{2}/g, '$1EE')
        .replace(`"tx":"${Buffer.from('name=satoshi').toString('base64')}"`, '"tx":"bmFtZT1odWdv"'),
    )
    await page.goto(at('verify'))
    await startFrom(page, { height: 1, hash: await hashAt(1) })
    await page.getByText('The light client did not start').waitFor()
    await page.close()
  })

  test('error: a real block and a real transaction in the place of others get no mark', async () => {
    const other = await node.sendTx('name=hal')
    const { page } = await open(browser, 'about:blank')
    const base64Of = (hash: string): string => Buffer.from(hash, 'hex').toString('base64')
    await changeAnswers(
      page,
      (answer) => answer,
      (call) =>
        call
          .replace(`"method":"block","params":{"height":"${other.height}"`, '"method":"block","params":{"height":"1"')
          .replace(base64Of(other.hash), base64Of(sent.hash)),
    )
    await page.goto(at('verify'))
    await startFrom(page, { height: 1, hash: await hashAt(1) })
    await page.getByText('The light client runs in this page').waitFor()
    for (const place of [`block/${other.height}`, `tx/${other.hash}`]) {
      await page.goto(at(place))
      await page.getByText('✗ not proved').waitFor()
      expect(await mark(page).count()).toBe(0)
    }
    await page.close()
  })

  test('behavior: the mark belongs to the transaction that the screen shows, also after a change of the address', async () => {
    const other = await node.sendTx('name=changed')
    const { page } = await open(browser, 'about:blank')
    await changeAnswers(page, (answer) =>
      answer.replaceAll(`"tx":"${Buffer.from('name=changed').toString('base64')}"`, '"tx":"bmFtZT1odWdv"'),
    )
    await page.goto(at('verify'))
    await startFrom(page, { height: 1, hash: await hashAt(1) })
    await page.getByText('The light client runs in this page').waitFor()
    await page.goto(at(`tx/${sent.hash}`))
    await mark(page).waitFor()
    await page.goto(at(`tx/${other.hash}`))
    await page.getByText('✗ not proved').waitFor()
    expect(await mark(page).count()).toBe(0)
    await page.close()
  })

  test('error: a transaction that the node changes after the start gets no mark', async () => {
    const { page } = await open(browser, 'about:blank')
    await changeAnswers(page, (answer) =>
      answer.replaceAll(`"tx":"${Buffer.from('name=satoshi').toString('base64')}"`, '"tx":"bmFtZT1odWdv"'),
    )
    await page.goto(at('verify'))
    await startFrom(page, { height: 1, hash: await hashAt(1) })
    await page.getByText('The light client runs in this page').waitFor()
    await page.goto(at(`tx/${sent.hash}`))
    await page.getByText('✗ not proved').waitFor()
    await page.getByText('✗ The proof is wrong').waitFor()
    expect(await mark(page).count()).toBe(0)
    await page.close()
  })
})
