import { describe, expect, test } from 'vitest'
import { defineRoute, type Route } from '../src/call/route.ts'
import { createOpenApiDocument } from '../src/openapi/index.ts'
import { emptyResult } from '../src/operations/results.ts'
import { ROUTES } from '../src/operations/table.ts'
import { startRpc } from './start-rpc.ts'

/** An operation that the reference does not have, as the recipe in CONTRIBUTING.md adds it. */
const trial = defineRoute({
  name: 'latest_height',
  summary: 'Returns nothing.',
  category: 'Info',
  own: true,
  params: {},
  result: emptyResult,
  handler: () => ({}),
})
Object.assign(ROUTES as Record<string, Route>, { latest_height: trial })

describe.each([false, true])('an operation of our own, strict: %s', (strict) => {
  test('default: it is served unless strict', async () => {
    await using running = await startRpc({ strict })
    const url = `http://127.0.0.1:${running.port}`
    const uri = await fetch(`${url}/latest_height`)
    expect(uri.status).toBe(strict ? 404 : 200)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'latest_height' })
    const answer = await (await fetch(url, { method: 'POST', body })).json()
    expect(answer).toMatchObject(strict ? { error: { code: -32601 } } : { result: {} })
  })

  test('default: the page of the reference at / does not list it', async () => {
    await using running = await startRpc({ strict })
    const page = await (await fetch(`http://127.0.0.1:${running.port}/`)).text()
    expect(page).toContain('/health?')
    expect(page).not.toContain('latest_height')
  })
})

test('default: the description contains it', () => {
  expect(createOpenApiDocument().paths).toHaveProperty('/latest_height')
})
