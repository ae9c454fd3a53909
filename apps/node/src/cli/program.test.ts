import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from './run.ts'

/** Runs a command line in a process that has no home and no terminal. Resolves with its exit code and its output. */
async function run(...argv: readonly string[]): Promise<readonly [number, string]> {
  return sayTo({ interactive: false }, ...argv)
}

async function sayTo(
  { interactive }: { readonly interactive: boolean },
  ...argv: readonly string[]
): Promise<readonly [number, string]> {
  let text = ''
  const write = (part: string): void => {
    text += part
  }
  const process = { env: {}, out: write, err: write, interactive, workingFolder: '/nowhere' }
  return [await runCli(argv, { ...process, signals: () => undefined }), text]
}

test('default: the help names every command, also those that are not built', async () => {
  const [code, text] = await run('--help')
  expect(code).toBe(0)
  for (const name of ['start', 'devnet', 'init', 'testnet', 'inspect', 'rollback', 'reindex-event'])
    expect(text).toContain(`\n  ${name}`)
  expect(text).toMatch(/Not built in this version: replay, .*\.\n/)
  expect(await run()).toEqual([0, text])
})

test('behavior: the README names the commands and settings that are not built, and no others', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [list = ''] = /^Not built in this version:\n\n(- .*\n( {2}.*\n)*)+/m.exec(readme) ?? []
  const named = [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  const [, help] = await run('--help')
  const commands = (/Not built in this version: (.*)\.\n/.exec(help)?.[1] ?? '').split(', ')
  expect(named.filter((name) => /^[a-z-]+$/.test(name) && !['goleveldb', 'cleveldb', 'memdb'].includes(name))).toEqual(
    commands,
  )
  const unbuilt = readFileSync(new URL('../config/unsupported.ts', import.meta.url), 'utf8')
  for (const name of named.filter((setting) => /^[a-z_0-9]+\.[a-z_]+/.test(setting)))
    expect(unbuilt).toContain(name.split(' ')[0])
})

test.each([
  ['start', '--proxy_app=kvstore'],
  ['devnet', '.halley/devnet'],
  ['init', 'genesis.json'],
  ['show-node-id', 'persistent_peers'],
  ['gen-validator', 'No file is written'],
  ['inspect', 'at the address of rpc.laddr'],
  ['reset-state', 'cannot sign twice'],
  ['unsafe-reset-all', 'This is unsafe: the validator'],
  ['unsafe-reset-priv-validator', 'This is unsafe: the validator'],
  ['rollback', 'executed again'],
  ['reindex-event', 'discard_abci_responses'],
  ['testnet', '--starting-ip-address 192.168.10.2'],
  ['light', 'trusts only the header'],
  ['replay', 'Not built in this version of halley'],
])('default: the help of %s explains more than its flags', async (name, says) => {
  const [code, text] = await run(name, '--help')
  expect([code, text]).toEqual([0, expect.stringContaining(says)])
})

test("default: version prints the protocol's version, and --verbose also the program's", async () => {
  expect(await run('version')).toEqual([0, '0.38.25\n'])
  const [code, text] = await run('version', '--verbose')
  expect([code, JSON.parse(text)]).toEqual([
    0,
    {
      cometbft: '0.38.25',
      abci: '2.0.0',
      block_protocol: 11,
      p2p_protocol: 8,
      halley: expect.stringMatching(/^\d+\.\d+\.\d+/),
      runtime: process.version,
    },
  ])
})

test('default: on a terminal the version names this program and the protocol', async () => {
  const [code, text] = await sayTo({ interactive: true }, 'version')
  expect([code, text]).toEqual([0, expect.stringMatching(/^halley \d+\.\d+\.\d+, speaks CometBFT 0\.38\.25\n$/)])
})

test('default: the help shows the values of a list without a comma at its end', async () => {
  for (const command of ['start', 'devnet']) {
    const [, text] = await run(command, '--help')
    expect(text).toContain('"genesis_chunked=5"])')
    expect(text).not.toMatch(/, \]/)
  }
})

test('error: a command that is not built, and an unknown command, are refused', async () => {
  expect(await run('replay')).toEqual([
    1,
    "ERROR: the command replay is not built in this version of halley; use the Go node's command of this name [CLI_NOT_BUILT]\n",
  ])
  const unknown = 'ERROR: unknown command "lihgt" for "halley": halley --help lists the commands [CLI_USAGE]\n'
  expect(await run('lihgt')).toEqual([1, unknown])
  expect(await run('help', 'lihgt')).toEqual([1, unknown])
  const [, text] = await run('snapshot', 'lihgt')
  expect(text).toContain('unknown command "lihgt" for "snapshot": halley snapshot --help lists the commands')
})

test('error: an unknown flag is refused with a similar flag and the command that lists all flags', async () => {
  expect(await run('devnet', '--validatorss', '4')).toEqual([
    1,
    'ERROR: unknown flag: --validatorss: did you mean --validators? halley devnet --help lists the flags [CLI_USAGE]\n',
  ])
  const [, text] = await run('snapshot', 'trust-root', '--qqqqqqqq')
  expect(text).toBe('ERROR: unknown flag: --qqqqqqqq: halley snapshot trust-root --help lists the flags [CLI_USAGE]\n')
  expect(await run('devnet', '--validators')).toEqual([1, 'ERROR: flag needs an argument: --validators [CLI_USAGE]\n'])
})

test.each([
  ['--initial-height', '9223372036854775808', `0 to ${Number.MAX_SAFE_INTEGER}`],
  ['--p2p-port', '65536', '0 to 65535'],
  ['--p2p-port', 'http', '0 to 65535'],
])('error: testnet %s %s is refused, and no home is made', async (flag, value, range) => {
  const folder = mkdtempSync(join(tmpdir(), 'halley-testnet-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const shown = `invalid argument "${value}" for "${flag}" flag: a whole number from ${range} is expected`
  expect(await run('testnet', '--v', '1', flag, value, '--o', folder)).toEqual([1, `ERROR: ${shown} [CLI_USAGE]\n`])
  expect(readdirSync(folder)).toEqual([])
})

test('default: a word that the command does not take is ignored, with a warning on a terminal', async () => {
  const warning =
    'WARNING: halley version ignores "false", "x": the command takes only flags; write the value of a boolean flag after "=", such as --FLAG=false\n'
  const [code, text] = await sayTo({ interactive: true }, 'version', '--verbose', 'false', 'x')
  expect([code, text]).toEqual([0, expect.stringMatching(/"cometbft": ?"0\.38\.25"/)])
  expect(text.startsWith(warning)).toBe(true)
  expect(await run('version', 'false')).toEqual([0, '0.38.25\n'])
})

test('error: light refuses more words than the chain id, as the reference does', async () => {
  expect(await run('light', 'a', 'b', 'c')).toEqual([1, 'ERROR: accepts 1 arg(s), received 3 [CLI_USAGE]\n'])
})
