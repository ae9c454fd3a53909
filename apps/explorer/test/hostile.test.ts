import { executable, launchBrowser, open } from '@org/ui/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from './support/devnet.ts'
import { answerCalls, changeAnswers } from './support/lying-node.ts'
import { type Site, startSite } from './support/site.ts'

const HTML = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
/** A text with invisible characters, one of which changes the direction of the text. */
const HIDDEN = 'a\u202eb\u200bc\u0007d\u{e0041}e'
const SHOWN = 'a\\u202eb\\u200bc\\u0007d\\u{e0041}e'
const MEGABYTE = 1_000_000

/** The information about a peer in an answer of `net_info`. */
const NODE_INFO = {
  protocol_version: { p2p: '8', block: '11', app: '0' },
  ...{ id: '', listen_addr: '', network: '', version: '', channels: '', moniker: '' },
  other: { tx_index: '', rpc_address: '' },
}

interface Answer {
  readonly result?: Record<string, unknown>
}

/**
 * Returns a function that changes the text of a JSON-RPC message. If a result in the message has the member `member`,
 * the result is replaced by `change(result)`.
 */
const changing = (member: string, change: (result: Record<string, unknown>) => unknown) => (text: string) => {
  if (!text.includes(`"${member}"`)) return text
  const answer = JSON.parse(text) as Answer | readonly Answer[]
  const changed = (one: Answer): Answer =>
    one.result !== undefined && member in one.result ? { ...one, result: change(one.result) as never } : one
  return JSON.stringify(Array.isArray(answer) ? answer.map(changed) : changed(answer as Answer))
}

describe.skipIf(executable === undefined)('hostile data', () => {
  let browser: Browser
  let site: Site
  let devnet: Devnet

  beforeAll(async () => {
    ;[browser, site, devnet] = await Promise.all([launchBrowser(), startSite(), startDevnet()])
  })
  afterAll(async () => {
    await browser?.close()
    await devnet?.stop()
    await site?.close()
  })

  const at = (place: string): string => `${site.origin}/?rpc=${devnet.url}#/${place}`
  /**
   * Expects that the page shows the hostile data as text: the page made no HTML element from the data, and ran no
   * script that the data contains.
   */
  async function expectNoElement(page: Page): Promise<void> {
    expect(await page.locator('main img, main script, header img').count()).toBe(0)
    expect(await page.title()).toContain('Halley explorer')
  }

  test('behavior: HTML and hidden characters in the names of nodes and chains are shown as text', async () => {
    const { page, complaints } = await open(browser, 'about:blank')
    const name = HTML + HIDDEN
    await changeAnswers(
      page,
      changing('node_info', (result) => ({
        ...result,
        node_info: { ...(result.node_info as object), moniker: name, network: name, version: `0.38.25${HIDDEN}` },
      })),
    )
    await page.goto(at(''))
    await page.getByText(SHOWN).first().waitFor()
    await page.getByText(HTML).first().waitFor()
    await expectNoElement(page)
    expect(complaints).toEqual([])
  })

  test('behavior: a transaction of a megabyte is shown in steps', async () => {
    const letters = `${HTML}${HIDDEN}`.replaceAll('=', ':')
    const tx = `k=${letters}${'0123456789'.repeat(60_000)}`
    const sent = await devnet.sendTx('k=v')
    const { page, complaints } = await open(browser, 'about:blank')
    const encoded = Buffer.from(tx).toString('base64')
    await changeAnswers(page, (answer) =>
      answer.replaceAll(`"tx":"${Buffer.from('k=v').toString('base64')}"`, `"tx":"${encoded}"`),
    )
    await page.goto(at(`tx/${sent.hash}`))
    await page.getByText(SHOWN).first().waitFor()
    await expectNoElement(page)
    await page.getByRole('button', { name: 'Hex', exact: true }).first().click()
    await page.getByRole('button', { name: /^Show 50,000 more of 1,200,\d+ characters$/ }).click()
    await page.getByRole('button', { name: /^Show 50,000 more of 1,200,\d+ characters$/ }).waitFor()
    const shown = await page.getByRole('region', { name: 'the transaction as Hex' }).textContent()
    expect(shown?.length).toBe(54_001)
    await page.getByText('✗ The proof is wrong').waitFor()
    expect(complaints).toEqual([])
  })

  test('behavior: a block with 20,000 events and values of a megabyte opens, and shows them in steps', async () => {
    const { page, complaints } = await open(browser, 'about:blank')
    const attribute = (value: string) => ({ key: HTML, value, index: true })
    const events = Array.from({ length: 20_000 }, (_, i) => ({
      type: `event${i}${HIDDEN}`,
      attributes:
        i === 0
          ? [attribute(HTML.padEnd(MEGABYTE, 'x')), ...Array.from({ length: 500 }, () => attribute('v'))]
          : [attribute('v')],
    }))
    await changeAnswers(
      page,
      changing('finalize_block_events', (result) => ({ ...result, finalize_block_events: events })),
    )
    await page.goto(at('block/1'))
    await page.getByText(`event0${SHOWN}`).waitFor()
    expect(await page.locator('.event').count()).toBe(20)
    await page.getByRole('button', { name: 'Show more', exact: true }).first().click()
    await page.getByRole('button', { name: 'Show 50,000 more of 1,000,000 characters' }).waitFor()
    await page.getByRole('button', { name: 'Show 100 more of 501 attributes' }).click()
    await page.getByRole('button', { name: 'Show 100 more of 20,000 events' }).click()
    await page.getByText(`event119${SHOWN}`).waitFor()
    expect(await page.locator('.event').count()).toBe(120)
    await page.getByText('Raw JSON and curl').click()
    await page.getByRole('region', { name: 'The call block_results' }).waitFor()
    await expectNoElement(page)
    expect(complaints).toEqual([])
  })

  test('behavior: the screen of consensus stays usable with 1,000 validators and wrong votes', async () => {
    const { page, complaints } = await open(browser, 'about:blank')
    await changeAnswers(
      page,
      changing('validators', (result) => {
        const [first] = result.validators as readonly object[]
        const validators = Array.from({ length: 100 }, (_, i) => ({
          ...first,
          address: i.toString(16).padStart(40, '0'),
        }))
        return { ...result, validators, count: '100', total: '1000' }
      }),
      (call) => call.replace(/"page":"\d+"/, '"page":"1"'),
    )
    await page.goto(at('consensus'))
    await page.getByText('+750').first().waitFor()
    await page.goto(at('validators'))
    await page.getByText('1,000 validators').waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('in sync').waitFor()
    expect(complaints).toEqual([])
  })

  test('behavior: the chunks of a large genesis are joined before they are read as text', async () => {
    const { page, complaints } = await open(browser, 'about:blank')
    const genesis = Buffer.from(JSON.stringify({ chain_id: 'étoile' }))
    const middle = genesis.indexOf(0xa9)
    const chunks = [genesis.subarray(0, middle), genesis.subarray(middle)]
    await changeAnswers(
      page,
      (text) => {
        const { id, result } = JSON.parse(text) as Answer & { readonly id: unknown }
        if (result !== undefined && 'genesis' in result)
          return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'use the genesis_chunked API' } })
        if (result === undefined || !('chunk' in result)) return text
        const data = chunks.shift() ?? Buffer.alloc(0)
        return JSON.stringify({ jsonrpc: '2.0', id, result: { ...result, total: '2', data: data.toString('base64') } })
      },
      (call) => call.replace(/"chunk":("?)1/, '"chunk":$10'),
    )
    await page.goto(at('chain'))
    await page.getByText('"chain_id": "étoile"').waitFor()
    expect(complaints).toEqual([])
  })

  test('error: an answer with many nested levels does not break the raw JSON', async () => {
    const { page, complaints } = await open(browser, 'about:blank')
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    await answerCalls(
      page,
      ({ id }) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":1,"data":${deep}}}`,
    )
    await page.goto(at('peers'))
    await page.getByText('Raw JSON and curl').click()
    await page.getByRole('region', { name: 'The call net_info' }).waitFor()
    expect(complaints).toEqual([])
  })

  const WRONG: readonly (readonly [place: string, member: string, change: Record<string, unknown>])[] = [
    ['peers', 'n_peers', { connection_status: { Channels: [null] } }],
    ['peers', 'n_peers', { connection_status: { Channels: 'abc', SendMonitor: { Bytes: { toString: 1 } } } }],
    ['consensus', 'round_state', { votes: 5 }],
    ['consensus', 'round_state', { votes: [null] }],
    ['consensus', 'round_state', { votes: [{ round: 0, prevotes: 'abc' }] }],
    ['consensus', 'round_state', { locked_round: { toString: 1 } }],
  ]

  test.each(WRONG)(
    'error: on the screen %s, an answer with a wrong member is named: %s %j',
    async (place, member, part) => {
      const { page } = await open(browser, 'about:blank')
      const faults: string[] = []
      page.on('pageerror', ({ message }) => faults.push(message))
      await changeAnswers(
        page,
        changing(member, (result) => {
          if (member === 'round_state')
            return { ...result, round_state: { ...(result.round_state as object), step: 4, ...part } }
          return {
            ...result,
            n_peers: '1',
            peers: [{ node_info: NODE_INFO, is_outbound: true, remote_ip: '1.2.3.4', ...part }],
          }
        }),
      )
      await page.goto(at(place))
      await page.getByRole('alert').getByText('The page cannot show this.').waitFor()
      expect(faults).toEqual([])
    },
  )

  test('error: a hash that the node did not look up is not called unknown', async () => {
    const { page } = await open(browser, 'about:blank')
    await answerCalls(page, ({ id }) => JSON.stringify({ jsonrpc: '2.0', id, result: { hello: 'world' } }))
    await page.goto(at(`hash/${'AB'.repeat(32)}`))
    await page.getByText('The node sent an answer that this page cannot read.').waitFor()
  })

  const GARBAGE: readonly (readonly [kind: string, answer: (id: number | string) => string])[] = [
    ['other members', (id) => JSON.stringify({ jsonrpc: '2.0', id, result: { hello: 'world' } })],
    ['null', (id) => JSON.stringify({ jsonrpc: '2.0', id, result: null })],
    ['wrong types', (id) => JSON.stringify({ jsonrpc: '2.0', id, result: { node_info: [], sync_info: 5 } })],
    ['text that is not JSON', () => '<html>502 Bad Gateway</html>'],
    ['JSON that is no answer', () => '[[[[5]]]]'],
  ]

  test.each(GARBAGE)('error: a node that answers with %s is named, on every screen', async (_kind, answer) => {
    const { page } = await open(browser, 'about:blank')
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    await answerCalls(page, ({ id }) => answer(id))
    for (const place of ['', 'blocks', 'block/1', 'validators', 'consensus', 'peers', 'chain', 'verify']) {
      await page.goto(at(place))
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    await page.getByRole('alert').first().waitFor()
    expect(await page.getByRole('alert').first().textContent()).toMatch(/cannot read|No connection/)
    expect(faults).toEqual([])
  })

  test('error: without a node, the page says so and what to do', async () => {
    const { page } = await open(browser, `${site.origin}/?rpc=http://127.0.0.1:9#/`)
    await page.getByRole('alert').getByText('No connection to http://127.0.0.1:9').waitFor()
    await page.getByRole('alert').getByText('cors_allowed_origins').waitFor()
  })
})
