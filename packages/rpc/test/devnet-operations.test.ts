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

describe('arguments in a URI, as people write them', () => {
  const HASH = 'AB'.repeat(32)
  const KEY = { type: 'ed25519', bytes: new Uint8Array(32) }
  const calls: unknown[][] = []
  const note =
    <T>(name: string, result: T) =>
    (...args: unknown[]): T => {
      calls.push([name, ...args])
      return result
    }
  const devnet = {
    addValidator: note('addValidator', Promise.resolve({ height: 4, address: 'AB', pubKey: KEY })),
    crash: note('crash', undefined),
    dropTx: note('dropTx', Promise.resolve()),
    fork: note('fork', Promise.resolve(5)),
    partition: note('partition', undefined),
    revert: note('revert', Promise.resolve(3)),
    setPower: note('setPower', Promise.resolve(4)),
    setAutomine: note('setAutomine', undefined),
    setTime: note('setTime', 0n),
  } as unknown as DevnetControl
  const ask = async (path: string): Promise<{ readonly error?: { readonly code: number; readonly data: string } }> => {
    await using running = await startRpc({}, { devnet })
    return (await fetch(`http://127.0.0.1:${running.port}/${path}`)).json() as never
  }

  test.each([
    ['dev_crash?validator="AB12"', ['crash', 'AB12']],
    ['dev_crash?validator=23AB', ['crash', '23AB']],
    ['dev_crash?validator=0x23AB', ['crash', '0x23AB']],
    ['dev_validators?validator=new&power=5', ['addValidator', 5n]],
    ['dev_validators?validator="new"&power="5"', ['addValidator', 5n]],
    ['dev_validators?validator=23AB&power=5', ['setPower', '23AB', 5n]],
    ['dev_revert?id="1"', ['revert', '1']],
    ['dev_revert?id=1', ['revert', '1']],
    ['dev_setTime?time=2030-01-01T00:00:00Z', ['setTime', 1_893_456_000_000_000_000n]],
    ['dev_setTime?time=1893456000', ['setTime', 1_893_456_000_000_000_000n]],
    ['dev_fork?home=/home/me/.cometbft', ['fork', '/home/me/.cometbft', undefined]],
    ['dev_partition?validators="AB,CD"', ['partition', ['AB', 'CD']]],
    ['dev_partition?validators=AB', ['partition', ['AB']]],
    ['dev_partition?validators=["AB","CD"]', ['partition', ['AB', 'CD']]],
    [`dev_dropTx?hash=0x${HASH}`, ['dropTx', new Uint8Array(32).fill(0xab)]],
    [`dev_dropTx?hash="${HASH}"`, ['dropTx', new Uint8Array(32).fill(0xab)]],
    [`dev_dropTx?hash=${HASH}`, ['dropTx', new Uint8Array(32).fill(0xab)]],
    ['dev_automine?enabled="false"', ['setAutomine', false]],
  ])('default: %s', async (path, call) => {
    calls.length = 0
    expect(await ask(path)).toHaveProperty('result')
    expect(calls).toEqual([call])
  })

  test.each([
    ['dev_mine?blocks=x', 'blocks must be a whole number from 1 to 10000, but got x'],
    ['dev_mine?blocks=-1', 'blocks must be a whole number from 1 to 10000, but got -1'],
    ['dev_mine?interval=1.5', 'interval must be a whole number from 0 to 3155760000000, but got 1.5'],
    ['dev_crash', 'validator is missing: give the address of a validator in hex, as /validators shows it'],
    [
      'dev_crash?validator="AB',
      'validator must be the address of a validator in hex, as /validators shows it, but got "AB',
    ],
    ['dev_dropTx?hash=0xAB', 'hash must be the hash of a transaction: 64 hex digits, but got 0xAB'],
    ['dev_automine?enabled=yes', 'enabled must be true or false, but got yes'],
    ['set_signing_status?private_key_address=AB&status=off', 'status must be up or down, but got off'],
    ['dev_fork?home=/a&num_validators=101', 'num_validators must be a whole number from 1 to 100, but got 101'],
    [`dev_crash?validator=${'"'.repeat(500)}`, `as /validators shows it, but got ${'"'.repeat(80)}…`],
  ])('error: %s', async (path, text) => {
    calls.length = 0
    const { error } = await ask(path)
    expect(error).toMatchObject({ code: -32602 })
    expect(error?.data.endsWith(text) ? text : error?.data).toBe(text)
    expect(calls).toEqual([])
  })
})
