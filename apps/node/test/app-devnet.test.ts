import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HALLEY, launch, run, temporaryFolder } from './support/process.ts'
import { hasTerminal, onTerminal } from './support/terminal.ts'

/** An application whose app hash is the sum of the prices of all transactions. */
const APP = `
import { type Application } from '@org/abci'
import { price } from './price.ts'

interface State { total: number }
const decoder = new TextDecoder()

function explode(text: string): never {
  throw new Error(\`cannot execute \${text}\`)
}

export default function createApp(): Application {
  const state: State = { total: 0 }
  return {
    checkTx: ({ tx }) => (tx.length > 20 ? { code: 1, log: 'too long' } : { code: 0 }),
    finalizeBlock: ({ txs }) => ({
      txResults: txs.map((tx) => {
        const text = decoder.decode(tx)
        if (text === 'boom') explode(text)
        state.total += price(text)
        const attributes = [{ key: 'what', value: text, index: true }]
        return text === 'bad' ? { code: 7, log: 'bad thing' } : { events: [{ type: 'paid', attributes }] }
      }),
      appHash: String(state.total),
    }),
    query: ({ path }) => (path === '/total' ? { value: String(state.total) } : { code: 3, log: 'no such path' }),
  }
}
`
const PRICE = 'export const price = (text: string): number => text.length\n'

interface Answer {
  readonly result: Readonly<Record<string, unknown>>
}

function folderWithApp(): { readonly folder: string; readonly write: (name: string, text: string) => void } {
  const folder = temporaryFolder()
  /** Replaces a file in one step, so that the application is never loaded from a file that is still empty. */
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, `${name}.new`), text)
    renameSync(join(folder, `${name}.new`), join(folder, name))
  }
  write('app.ts', APP)
  write('price.ts', PRICE)
  return { folder, write }
}

const inFolder = (folder: string, args: readonly string[]): readonly string[] => [
  '-c',
  'cd "$0" && exec "$@"',
  folder,
  HALLEY,
  'devnet',
  '--rpc.laddr=tcp://127.0.0.1:0',
  ...args,
]

async function startApp(folder: string, ...args: readonly string[]) {
  const running = launch('sh', inFolder(folder, ['--app', './app.ts', ...args]))
  const url = async (): Promise<string> => {
    await running.saw('abci_query')
    return /RPC +(\S+)/.exec(running.output())?.[1] ?? ''
  }
  const ask = async (path: string) => ((await (await fetch((await url()) + path)).json()) as Answer).result
  const total = async (): Promise<string> => {
    const { response } = (await ask('/abci_query?path="/total"')) as { response: { value: string } }
    return atob(response.value)
  }
  /** Waits until the output contains `text` at least `times` times. */
  const sawTimes = (text: string, times: number) =>
    expect.poll(() => running.output().split(text).length - 1, { timeout: 20_000 }).toBeGreaterThanOrEqual(times)
  return { ...running, ask, total, sawTimes }
}

test('default: --app runs the application of a file from any folder, and prints transactions, events and errors', async () => {
  const { folder } = folderWithApp()
  const devnet = await startApp(folder)
  expect(await devnet.ask('/broadcast_tx_commit?tx="hello"')).toMatchObject({ tx_result: { code: 0 } })
  await devnet.ask('/broadcast_tx_commit?tx="bad"')
  await devnet.ask(`/broadcast_tx_sync?tx="${'a'.repeat(30)}"`)
  await devnet.ask('/broadcast_tx_commit?tx=0x68691b5b')
  await devnet.ask('/abci_query?path="/no"')
  await devnet.saw('query failed')
  const text = devnet.output()
  expect(text).toMatch(/ {2}block \d+ {2}1 transaction\n {4}ok +[\dA-F]{12} {2}"hello"\n +paid what=hello\n/)
  expect(text).toMatch(/ {4}failed [\dA-F]{12} {2}"bad" {2}code 7: bad thing\n/)
  expect(text).toContain(`    refused by checkTx  "${'a'.repeat(30)}"  code 1: too long\n`)
  expect(text).toContain('code 3: no such path\n')
  expect(text).toContain('  web    every web page in a browser on this machine may use the RPC')
  // A control character must not reach the terminal.
  expect(text).toContain('paid what=hi\\u001b[\n')
  expect(text).not.toContain('\u001b')
  expect(text).not.toContain('0 transactions')
  expect(existsSync(join(folder, '.halley', 'app-app'))).toBe(true)
  expect(await devnet.stop('SIGINT')).toBe(0)

  const again = await startApp(folder)
  expect(await again.total()).toBe('12')
  expect(await again.stop('SIGINT')).toBe(0)
})

test('behavior: two files of one name in different folders have different chains', async () => {
  const { folder } = folderWithApp()
  for (const name of ['poll', 'token']) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'app.ts'), 'export default {}\n')
    const devnet = await startApp(folder, '--app', `./${name}/app.ts`)
    expect(await devnet.ask('/health')).toEqual({})
    expect(await devnet.stop('SIGINT')).toBe(0)
    expect(existsSync(join(folder, `.halley/app-${name}-app/config/genesis.json`))).toBe(true)
  }
})

test('behavior: a change of the file replays the chain into the new application, at the same address', async () => {
  const { folder, write } = folderWithApp()
  const devnet = await startApp(folder, '--watch')
  await devnet.ask('/broadcast_tx_commit?tx="hello"')
  write('app.ts', APP.replace("'too long'", "'much too long'"))
  await devnet.sawTimes('Ready at block', 1)
  expect(devnet.output()).toContain('  Changed: app.ts\n')
  expect(devnet.output()).not.toContain('A new chain begins')
  expect(await devnet.total()).toBe('5')
  expect(await devnet.ask(`/broadcast_tx_sync?tx="${'a'.repeat(30)}"`)).toMatchObject({ log: 'much too long' })
  expect(await devnet.ask('/broadcast_tx_commit?tx="more"')).toMatchObject({ tx_result: { code: 0 } })
  expect(await devnet.total()).toBe('9')
  expect(await devnet.stop('SIGINT')).toBe(0)
})

test('behavior: an imported file that changes the app hash of an old block begins a new chain, and both hashes are shown', async () => {
  const { folder } = folderWithApp()
  const devnet = await startApp(folder, '--watch')
  const { height } = (await devnet.ask('/broadcast_tx_commit?tx="hello"')) as { height: string }
  // Writes to the file, as some editors do instead of replacing it.
  writeFileSync(join(folder, 'price.ts'), PRICE.replace('length', 'length * 2'))
  await devnet.sawTimes('Ready at block', 1)
  expect(devnet.output()).toMatch(
    new RegExp(
      `A new chain begins: after block ${height} .*\\n +chain +35 \\("5"\\)\\n +application +3130 \\("10"\\)\\n`,
    ),
  )
  expect(await devnet.total()).toBe('0')
  await devnet.ask('/broadcast_tx_commit?tx="hello"')
  expect(await devnet.total()).toBe('10')
  expect(await devnet.stop('SIGINT')).toBe(0)
})

test('behavior: r and n on standard input load the application again and start a new chain', async () => {
  const { folder } = folderWithApp()
  const devnet = await startApp(folder, '--watch')
  await devnet.ask('/broadcast_tx_commit?tx="hello"')
  devnet.child.stdin?.write('r\n')
  await devnet.sawTimes('Ready at block', 1)
  expect(await devnet.total()).toBe('5')
  devnet.child.stdin?.write('n\n')
  await devnet.sawTimes('Ready at block', 2)
  expect(await devnet.total()).toBe('0')
  expect(await devnet.stop('SIGINT')).toBe(0)
})

test('behavior: --on-change reset begins a new chain at each change', async () => {
  const { folder, write } = folderWithApp()
  const devnet = await startApp(folder, '--watch', '--on-change', 'reset')
  await devnet.ask('/broadcast_tx_commit?tx="hello"')
  write('app.ts', `${APP}\n`)
  await devnet.sawTimes('Ready at block', 1)
  expect(await devnet.total()).toBe('0')
  expect(await devnet.stop('SIGINT')).toBe(0)
})

test('error: the chain continues with the old application while the file has an error', async () => {
  const { folder, write } = folderWithApp()
  const devnet = await startApp(folder, '--watch')
  await devnet.ask('/broadcast_tx_commit?tx="hello"')
  const wrong: readonly (readonly [string, RegExp])[] = [
    [
      `${APP}enum Color { red }`,
      /app\.ts:\d+: TypeScript enum .* const Color = .*\[DEVNET_APP_SYNTAX\]\n +}\n +enum Color { red }\n +\^+\n/,
    ],
    [`${APP}@sealed class Decorated {}`, /app\.ts, or a file .*decorators are not supported\) \[DEVNET_APP_SYNTAX\]\n/],
    [APP.replace('{ price }', '{ cost as price }'), /app\.ts, or .* export named 'cost' \[DEVNET_APP_SYNTAX\]\n/],
    [`${APP}const = 1`, /app\.ts:\d+: .*\[DEVNET_APP_SYNTAX\]\n/],
    [
      APP.replace('./price.ts', './price'),
      /app\.ts imports "\.\/price", which was not found: write "\.\/price\.ts" \[DEVNET_APP_IMPORT\]\n/,
    ],
    [`import 'left-pod'\n${APP}`, /app\.ts imports "left-pod", .*npm install left-pod \[DEVNET_APP_IMPORT\]\n/],
    [
      APP.replace('checkTx:', 'checktx:'),
      /app\.ts: app\.checktx is not a method of an application: write checkTx \[ABCI_BAD_APPLICATION\]\n/,
    ],
    [
      `${APP}\nthrow new Error('at the top')`,
      /app\.ts failed while it was loaded: at the top \[DEVNET_APP_THREW\]\n +at app\.ts:\d+:\d+\n/,
    ],
    ['export const nothing = 1', /app\.ts exports no application \(it exports nothing\): .*\[DEVNET_APP_NO_EXPORT\]\n/],
    ['', /app\.ts exports no application .*\[DEVNET_APP_NO_EXPORT\]\n/],
    [
      'export default () => undefined',
      /app\.ts: app must be an object with methods .* got nothing .*\[ABCI_BAD_APPLICATION\]\n/,
    ],
    [
      "export default () => { throw new Error('no state') }",
      /threw an error: no state \[DEVNET_APP_THREW\]\n +at .*\(app\.ts:1:\d+\)\n/,
    ],
  ]
  for (const [text, message] of wrong) {
    const before = devnet.output().length
    write('app.ts', text)
    await expect.poll(() => devnet.output().slice(before), { timeout: 20_000 }).toMatch(message)
    expect(await devnet.total()).toBe('5')
  }
  const readyBefore = devnet.output().split('Ready at block').length - 1
  write('app.ts', APP)
  await devnet.sawTimes('Ready at block', readyBefore + 1)
  expect(await devnet.stop('SIGINT')).toBe(0)
})

test.each([
  'export const app = {}',
  'export function createApp() { return {} }',
  'export default async () => ({})',
  'export default {}',
  'export const query = () => ({ code: 0 })',
])('behavior: the file may give its application in this form: %s', async (text) => {
  const { folder, write } = folderWithApp()
  write('app.ts', text)
  const devnet = await startApp(folder)
  expect(await devnet.ask('/broadcast_tx_commit?tx="hello"')).toMatchObject({ tx_result: { code: 0 } })
  expect(await devnet.stop('SIGINT')).toBe(0)
})

test('error: an application that throws in finalizeBlock halts the chain, and its line is shown, until the file is corrected', async () => {
  const { folder, write } = folderWithApp()
  const devnet = await startApp(folder, '--watch')
  await devnet.ask('/broadcast_tx_sync?tx="boom"')
  await devnet.saw('The chain makes no more blocks')
  const text = devnet.output()
  expect(text).toMatch(/finalizeBlock: cannot execute boom \[ABCI_EXCEPTION\]\n +at explode \(app\.ts:9:9\)\n/)
  expect(text.split('cannot execute boom')).toHaveLength(2)
  expect(text).not.toContain('CONSENSUS FAILURE')
  expect(await devnet.ask('/health')).toEqual({})
  write('app.ts', APP.replace("'boom'", "'never'"))
  await devnet.sawTimes('Ready at block', 1)
  expect(await devnet.total()).toBe('4')
  expect(await devnet.stop('SIGINT')).toBe(0)
})

test('error: an error that the application throws in the background is reported, and the chain continues', async () => {
  const { folder, write } = folderWithApp()
  const devnet = await startApp(folder, '--watch')
  await devnet.ask('/broadcast_tx_commit?tx="hello"')
  const late =
    "setTimeout(() => { throw new Error('a late error') }, 1)\nvoid Promise.reject(new Error('a lost error'))"
  write('app.ts', `${APP}${late}\n`)
  for (const message of ['a late error', 'a lost error']) {
    const line = await devnet.saw(message)
    expect(line).toMatch(/^ {2}error {2}a (late|lost) error$/)
  }
  expect(devnet.output()).toMatch(new RegExp(`a late error\\n +at .*\\(app\\.ts:${APP.split('\n').length}:\\d+\\)\\n`))
  await devnet.sawTimes('Ready at block', 1)
  expect(await devnet.total()).toBe('5')
  expect(await devnet.stop('SIGINT')).toBe(0)
})

test('error: a loop without an end is interrupted and its place is shown, until the file is corrected', async () => {
  const { folder, write } = folderWithApp()
  const devnet = await startApp(folder, '--watch')
  await devnet.ask('/broadcast_tx_commit?tx="hello"')
  const endless = APP.replace("if (text === 'boom') explode(text)", "while (text === 'boom') explode")
  write('app.ts', endless)
  await devnet.sawTimes('Ready at block', 1)
  void devnet.ask('/broadcast_tx_sync?tx="boom"').catch(() => undefined)
  await devnet.saw('Waiting for a change of the application')
  const place =
    / {2}error {2}the application ran for 10 s without an end, .* \[DEVNET_APP_ENDLESS\]\n +at app\.ts:\d+:\d+\n/
  expect(devnet.output()).toMatch(place)
  write('app.ts', APP.replace("'boom'", "'never'"))
  await devnet.sawTimes('Ready at block', 2)
  expect(await devnet.total()).toMatch(/^[59]$/)

  // This loop runs when the file is loaded, before any call of the application.
  write('app.ts', `${APP}\nwhile (true) {}\n`)
  await expect.poll(() => devnet.output().split('DEVNET_APP_ENDLESS').length, { timeout: 40_000 }).toBe(3)
  expect(await devnet.stop('SIGINT')).toBe(0)
})

test('error: a loop without an end in the replay of a block is interrupted, until the file is corrected', async () => {
  const { folder, write } = folderWithApp()
  const devnet = await startApp(folder, '--watch')
  await devnet.ask('/broadcast_tx_commit?tx="hello"')
  write('app.ts', APP.replace("if (text === 'boom') explode(text)", "while (text === 'hello') text.trim()"))
  await devnet.saw('Waiting for a change of the application')
  expect(devnet.output()).toContain('[DEVNET_APP_ENDLESS]')
  write('app.ts', APP)
  await devnet.sawTimes('Ready at block', 1)
  expect(await devnet.total()).toBe('5')
  expect(await devnet.stop('SIGINT')).toBe(0)
})

test('behavior: the application in the help runs', async () => {
  const help = (await run(HALLEY, ['devnet', '--help'])).stdout
  const [app = ''] = /^ {2}export default .*?^ {2}\}$/ms.exec(help) ?? []
  const { folder, write } = folderWithApp()
  write('app.ts', app)
  const devnet = await startApp(folder)
  expect(await devnet.ask('/broadcast_tx_commit?tx="hello"')).toMatchObject({ tx_result: { code: 0 } })
  expect(await devnet.total()).toBe('1')
  expect(await devnet.stop('SIGINT')).toBe(0)
})

test('error: a file with an error at the start is reported, and the chain begins when the file is corrected', async () => {
  const { folder, write } = folderWithApp()
  write('app.ts', `${APP}enum Color { red }`)
  const devnet = await startApp(folder, '--watch')
  await devnet.saw('DEVNET_APP_SYNTAX')
  await devnet.saw('Waiting for a change of the application')
  write('app.ts', APP)
  expect(await devnet.total()).toBe('0')
  expect(await devnet.stop('SIGINT')).toBe(0)

  write('app.ts', `${APP}enum Color { red }`)
  const finished = await run('sh', inFolder(folder, ['--app', 'app.ts']))
  expect(finished).toMatchObject({ code: 1, stderr: expect.stringMatching(/^ERROR: app\.ts:\d+: .*enum/) })
})

test('error: without --watch, another app hash ends with both hashes and advice', async () => {
  const { folder, write } = folderWithApp()
  const devnet = await startApp(folder)
  await devnet.ask('/broadcast_tx_commit?tx="hello"')
  expect(await devnet.stop('SIGINT')).toBe(0)
  write('price.ts', PRICE.replace('length', 'length * 2'))
  const finished = await run('sh', inFolder(folder, ['--app', 'app.ts']))
  expect(finished.code).toBe(1)
  expect(finished.stderr).toMatch(/35 \("5"\)\n.*3130 \("10"\)\n.*--reset.*\[DEVNET_APP_OTHER_HASH\]\n$/s)
  const reset = await startApp(folder, '--reset')
  expect(await reset.total()).toBe('0')
  expect(await reset.stop('SIGINT')).toBe(0)
})

test.each([
  [['--app', 'missing.ts'], /there is no file .*missing\.ts.* \[DEVNET_APP_MISSING\]\n$/],
  [['--watch'], /--watch needs --app.* \[CLI_USAGE\]\n$/],
  [['--app', 'app.ts', '--on-change', 'reset'], /--on-change needs --watch.* \[CLI_USAGE\]\n$/],
  [['--app', 'app.ts', '--watch', '--on-change', 'x'], /replay or reset is expected \[CLI_USAGE\]\n$/],
  [['--app', 'app.ts', '--validators', '4'], /--app runs one validator.* \[CLI_USAGE\]\n$/],
  [['--app', 'app.ts', '--proxy_app', 'kvstore'], /exclude each other.* \[CLI_USAGE\]\n$/],
])('error: devnet with %j is refused', async (args, message) => {
  const { folder } = folderWithApp()
  const finished = await run('sh', inFolder(folder, args))
  expect(finished).toMatchObject({ code: 1, stderr: expect.stringMatching(message) })
})

test.skipIf(!hasTerminal)('default: results have colours on a terminal, unless NO_COLOR is set', async () => {
  const { folder } = folderWithApp()
  for (const [prefix, ok] of [
    ['', '\u001b[32mok'],
    ['NO_COLOR=1 ', '    ok'],
  ] as const) {
    const command = `cd ${folder} && ${prefix}${HALLEY} devnet --ephemeral --app app.ts --rpc.laddr=tcp://127.0.0.1:0`
    const devnet = launch(...onTerminal(command))
    await devnet.saw('abci_query')
    const url = /RPC +(\S+)/.exec(devnet.output())?.[1] ?? ''
    await fetch(`${url}/broadcast_tx_commit?tx="hello"`)
    await devnet.saw('"hello"')
    expect(devnet.output()).toContain(ok)
    devnet.child.kill('SIGTERM')
    await devnet.ended
  }
})
