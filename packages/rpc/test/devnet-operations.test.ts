import { describe, expect, test } from 'vitest'
import { createOpenApiDocument, createOpenRpcDocument } from '../src/openapi/index.ts'
import { DEVNET_ROUTES } from '../src/operations/devnet.ts'
import { activeRoutes, ROUTES } from '../src/operations/table.ts'
import { DEFAULT_RPC_OPTIONS } from '../src/options.ts'
import type { DevnetControl, Ports } from '../src/ports/index.ts'
import { startRpc } from './start-rpc.ts'

const names = Object.keys(DEVNET_ROUTES)
type Document = { readonly paths: Record<string, { readonly get: { readonly tags: readonly string[] } }> }

describe('the operations that control a devnet', () => {
  test('default: a node that is no devnet does not have them, and does not describe them', async () => {
    await using running = await startRpc({})
    for (const name of names) {
      expect((await fetch(`http://127.0.0.1:${running.port}/${name}`)).status).toBe(404)
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: {} })
      const answer = await (await fetch(`http://127.0.0.1:${running.port}`, { method: 'POST', body })).json()
      expect(answer).toMatchObject({ error: { code: -32601 } })
    }
    expect(names.filter((name) => name in ROUTES)).toEqual([])
    expect(
      Object.keys((createOpenApiDocument() as Document).paths).filter((path) => names.includes(path.slice(1))),
    ).toEqual([])
  })

  test('default: a node with the devnet port has them, unless it is strict', () => {
    const ports = { devnet: {} as DevnetControl } as Ports
    const found = (strict: boolean): string[] => [...activeRoutes({ ...DEFAULT_RPC_OPTIONS, strict }, ports).keys()]
    expect(found(false)).toEqual(expect.arrayContaining(names))
    expect(found(true).filter((name) => names.includes(name))).toEqual([])
  })

  test('default: both descriptions of a devnet have them, with a tag of their own and an example', () => {
    const { paths } = createOpenApiDocument({ devnet: true }) as Document
    for (const name of names) expect(paths[`/${name}`]?.get.tags).toEqual(['Devnet'])
    const { methods } = createOpenRpcDocument({ devnet: true }) as { methods: { name: string; examples?: unknown }[] }
    for (const name of names) expect(methods.find((method) => method.name === name)?.examples).toBeDefined()
  })
})
