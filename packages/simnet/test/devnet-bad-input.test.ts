import { createRpcServer } from '@org/rpc/server'
import { expect, test } from 'vitest'
import { createDevnet } from '../src/devnet/index.ts'
import { createKeyValueApp } from './support/key-value-app.ts'

const HUGE = '9223372036854775808'
const MANY = '9'.repeat(60)
const NO_NUMBERS = ['', 'x', '1.5', '1e3', '0x10', [], {}, true] as const
/**
 * The arguments that each method must refuse: wrong texts, and JSON values of a wrong type. The test replaces `KNOWN`,
 * `FIRST` and `ALL` with addresses of validators.
 */
const BAD: Readonly<Record<string, readonly object[]>> = {
  advance_blocks: [{}, ...values('num_blocks', ['0', '-1', '10001', HUGE, MANY, ...NO_NUMBERS])],
  advance_time: [{}, ...values('duration_in_seconds', ['-1', HUGE, MANY, '3155760001', ...NO_NUMBERS])],
  set_signing_status: [
    {},
    { private_key_address: 'KNOWN' },
    { status: 'up' },
    ...values('private_key_address', ['', 'AB', 'zz', 'F'.repeat(40), 'F'.repeat(10_000), 7, [], {}]).map((given) => ({
      ...given,
      status: 'up',
    })),
    ...values('status', ['', 'UP', 'off', 1, true, []]).map((given) => ({ private_key_address: 'KNOWN', ...given })),
  ],
  cause_double_sign: [{}, ...values('private_key_address', ['', 'AB', 'F'.repeat(40), 7, [], {}])],
  cause_light_client_attack: [
    {},
    { private_key_address: 'KNOWN' },
    { misbehaviour_type: 'Lunatic' },
    { private_key_address: 'AB', misbehaviour_type: 'Lunatic' },
    ...values('misbehaviour_type', ['', 'lunatic', '__proto__', 'constructor', 1, [], {}]).map((given) => ({
      private_key_address: 'KNOWN',
      ...given,
    })),
  ],
  dev_mine: [
    ...values('blocks', ['-1', '10001', HUGE, MANY, 'x', [], {}, true]),
    ...values('interval', ['-1', HUGE, MANY, 'x', [], {}, '3155760000001']),
  ],
  dev_automine: [{}, ...values('enabled', ['x', 'yes', 1, [], {}])],
  dev_interval: [{}, ...values('milliseconds', ['-1', '86400001', HUGE, MANY, ...NO_NUMBERS])],
  dev_setTime: [
    {},
    ...values('time', ['', 'soon', '2001-01-01T00:00:00Z', '1', '-5', '2026-13-01T00:00:00Z', MANY, 5, [], {}]),
  ],
  dev_increaseTime: [{}, ...values('seconds', ['0', '-1', HUGE, MANY, ...NO_NUMBERS])],
  dev_validators: [
    {},
    { validator: 'KNOWN' },
    ...values('validator', ['', 'AB', 'F'.repeat(40), 7, []]).map((given) => ({ ...given, power: '5' })),
    ...values('power', ['-1', HUGE, MANY, 'x', '1.5', '1152921504606846976', [], {}]).map((given) => ({
      validator: 'KNOWN',
      ...given,
    })),
    { validator: 'new' },
    { validator: 'NEW', power: '5' },
    ...values('power', ['-1', HUGE, MANY, 'x', '1.5', '1152921504606846956', [], {}]).map((given) => ({
      validator: 'new',
      ...given,
    })),
  ],
  dev_dropTx: [{}, ...values('hash', ['', '00', 'zz', '0'.repeat(63), '0'.repeat(64), '0'.repeat(10_000), 7, [], {}])],
  dev_holdTx: [
    {},
    ...values('hash', ['', 'zz', '0'.repeat(64), 7, []]).map((given) => ({ ...given, held: true })),
    ...values('held', ['x', 1, [], {}]).map((given) => ({ hash: '0'.repeat(64), ...given })),
  ],
  dev_revert: [{}, ...values('id', ['', '-1', '99', '0x', '__proto__', 'toString', MANY, 1, [], {}])],
  dev_crash: [{}, ...values('validator', ['', 'AB', 'FIRST', 7, [], {}])],
  dev_restart: [{}, ...values('validator', ['', 'AB', 'FIRST', 'KNOWN', 7, [], {}])],
  dev_partition: [{}, ...values('validators', [[], ['AB'], ['FIRST', 'AB'], [7], [null], 'KNOWN', 7, {}, ['ALL']])],
  dev_delay: [
    {},
    ...values('milliseconds', ['-1', '2001', HUGE, MANY, 'x', '1.5', [], {}]),
    { milliseconds: '5', from: 'AB' },
    { milliseconds: '5', to: 'AB' },
    { milliseconds: '5', from: 'KNOWN', to: 'KNOWN' },
    { milliseconds: '5', from: 7 },
  ],
  dev_fork: [
    {},
    ...values('home', ['', '/no/such/home', 7, [], {}]),
    ...values('num_validators', ['-1', '101', HUGE, MANY, 'x', [], {}]).map((given) => ({ home: '/', ...given })),
  ],
  dev_load: [{}, ...values('dump', ['', 'AAAA', 'not base64!', 7, [], {}])],
}

function values(name: string, given: readonly unknown[]): readonly object[] {
  return given.map((value) => ({ [name]: value }))
}

interface Refusal {
  readonly code: number
  readonly data?: string
}

/**
 * Returns true if the error explains the refusal. The error must end with an error code of the devnet (`DEVNET_…`) or
 * of a home (`HOME_…`), or name an argument and the values that are allowed for this argument.
 */
function isClear(method: string, { code, data = '' }: Refusal): boolean {
  if (/\[(?:DEVNET|HOME)_[A-Z_]+\]$/.test(data)) return true
  const names = new Set((BAD[method] ?? []).flatMap(Object.keys))
  return (
    code === -32602 &&
    [...names].some((name) => data.includes(`${name} must be `) || data.includes(`${name} is missing: give `))
  )
}

test('error: wrong, missing, huge and negative arguments of each call are refused with a reason, and the chain continues', async () => {
  await using devnet = await createDevnet({ app: createKeyValueApp, validators: 2 })
  const server = createRpcServer({ ports: devnet.ports, options: { laddr: 'tcp://127.0.0.1:0', cacheBytes: 0 } })
  const listener = await server.listen()
  const url = (listener.addresses[0] as string).replace('tcp', 'http')
  const post = async (body: object): Promise<Record<string, never>> =>
    (await fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }) })).json() as never
  const { mine } = devnet.ports.devnet
  await mine(2)
  const { validators } = devnet.ports.state.loadValidators(1)
  const addresses = validators.map(({ address }) => Buffer.from(address).toString('hex').toUpperCase())
  const { result } = await post({ method: 'status', params: {} })
  const first = (result as unknown as { validator_info: { address: string } }).validator_info.address
  const known = addresses.find((address) => address !== first) ?? ''
  const filled = (params: object): object =>
    JSON.parse(
      JSON.stringify(params)
        .replaceAll('"ALL"', addresses.map((address) => `"${address}"`).join(','))
        .replaceAll('"KNOWN"', `"${known}"`)
        .replaceAll('"FIRST"', `"${first}"`),
    ) as object
  const accepted: string[] = []
  const unclear: string[] = []
  for (const [method, cases] of Object.entries(BAD)) {
    for (const params of cases) {
      const answer = (await post({ method, params: filled(params) })) as {
        readonly error?: Refusal
      }
      const shown = `${method} ${JSON.stringify(params).slice(0, 100)}`
      if (answer.error === undefined) accepted.push(shown)
      else if (!isClear(method, answer.error)) unclear.push(`${shown}: ${answer.error.data}`)
    }
    const height = devnet.height()
    expect(await mine(1), method).toBe(height + 1)
  }
  expect(accepted).toEqual([])
  expect(unclear).toEqual([])
  expect(await post({ method: 'advance_blocks', params: ['x', 'y', 'z'] })).toHaveProperty('error')
  await listener.stop()
})
