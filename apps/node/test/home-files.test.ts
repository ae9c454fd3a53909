import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HALLEY, run, temporaryFolder } from './support/process.ts'

const halley = (...args: string[]) => run(HALLEY, args)
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

describe('homes', () => {
  test('default: init makes every file with its mode, and leaves existing files unchanged', async () => {
    const home = join(temporaryFolder(), 'deep', 'home')
    const { code, stdout } = await halley('init', '--home', home)
    expect(code).toBe(0)
    expect(stdout.split('\n').map((line) => /\] (.*?) +module=main /.exec(line)?.[1])).toEqual([
      'Generated private validator',
      'Generated node key',
      'Generated genesis file',
      undefined,
    ])
    expect(modeOf(home)).toBe('700')
    expect(modeOf(join(home, 'config/config.toml'))).toBe('644')
    expect(modeOf(join(home, 'config/genesis.json'))).toBe('644')
    expect(modeOf(join(home, 'config/node_key.json'))).toBe('600')
    expect(modeOf(join(home, 'config/priv_validator_key.json'))).toBe('600')
    expect(modeOf(join(home, 'data/priv_validator_state.json'))).toBe('600')
    expect(readFileSync(join(home, 'data/priv_validator_state.json'), 'utf8')).toBe(
      '{\n  "height": "0",\n  "round": 0,\n  "step": 0\n}',
    )

    const key = readFileSync(join(home, 'config/priv_validator_key.json'), 'utf8')
    const again = await halley('init', '--home', home)
    expect(again.stdout).toContain('Found genesis file')
    expect(readFileSync(join(home, 'config/priv_validator_key.json'), 'utf8')).toBe(key)
    expect(readdirSync(join(home, 'config'))).toHaveLength(4)
  })

  test('behavior: the home is --home, else HALLEY_HOME, else CMTHOME, else $HOME/.halley', async () => {
    const root = temporaryFolder()
    const [flag, own, cmt, user] = ['flag', 'own', 'cmt', 'user'].map((name) => join(root, name)) as [
      string,
      string,
      string,
      string,
    ]
    const env = { HALLEY_HOME: own, CMTHOME: cmt, HOME: user }
    await run(HALLEY, ['init', '--home', flag], env)
    await run(HALLEY, ['init'], env)
    await run(HALLEY, ['init'], { ...env, HALLEY_HOME: '' })
    await run(HALLEY, ['init'], { HOME: user })
    expect(readdirSync(root).sort()).toEqual(['cmt', 'flag', 'own', 'user'])
    expect(readdirSync(user)).toEqual(['.halley'])
  })

  test('behavior: show-node-id, show-validator and gen-node-key agree with the files', async () => {
    const home = temporaryFolder()
    const made = await halley('gen-node-key', '--home', home)
    expect(made.stdout).toMatch(/^[\da-f]{40}\n$/)
    expect((await halley('show_node_id', '--home', home)).stdout).toBe(made.stdout)
    await halley('init', '--home', home)
    const shown = await halley('show-validator', '--home', home)
    expect(JSON.parse(shown.stdout)).toEqual(json(join(home, 'config/priv_validator_key.json')).pub_key)
  })

  test("behavior: testnet makes homes with one genesis and each other's addresses", async () => {
    const root = temporaryFolder()
    const output = join(root, 'net')
    const { code, stdout } = await halley(
      'testnet',
      '--v',
      '2',
      '--n',
      '1',
      '--o',
      output,
      '--starting-ip-address',
      '10.0.0.9',
    )
    expect(code).toBe(0)
    expect(stdout).toContain('Successfully initialized 3 node directories\n')
    expect(readdirSync(output)).toEqual(['node0', 'node1', 'node2'])
    const genesis = json(join(output, 'node0/config/genesis.json'))
    expect(genesis.validators.map(({ name, power }: { name: string; power: string }) => [name, power])).toEqual([
      ['node0', '1'],
      ['node1', '1'],
    ])
    expect(json(join(output, 'node2/config/genesis.json'))).toEqual(genesis)
    const config = readFileSync(join(output, 'node1/config/config.toml'), 'utf8')
    expect(config).toMatch(
      /^persistent_peers = "[\da-f]{40}@10\.0\.0\.9:26656,[\da-f]{40}@10\.0\.0\.10:26656,[\da-f]{40}@10\.0\.0\.11:26656"$/m,
    )
    expect(config).toMatch(/^addr_book_strict = false$/m)
  })

  test('behavior: testnet --statesync makes homes that join with a snapshot, and prints the next steps', async () => {
    const output = join(temporaryFolder(), 'net')
    const { code, stdout } = await halley('testnet', '--v', '2', '--n', '2', '--statesync', '--o', output)
    expect(code).toBe(0)
    for (const name of ['node2', 'node3']) {
      expect(stdout).toContain(`halley snapshot trust-root --write --home ${join(output, name)}\n`)
      const config = readFileSync(join(output, name, 'config/config.toml'), 'utf8')
      expect(config).toMatch(/^\[statesync\]\n(#.*\n)+enable = true$/m)
      expect(config).toMatch(/^rpc_servers = "http:\/\/node0:26657,http:\/\/node1:26657"$/m)
      expect(config).toMatch(/^laddr = "tcp:\/\/127\.0\.0\.1:26657"$/m)
    }
    const validator = readFileSync(join(output, 'node1/config/config.toml'), 'utf8')
    expect(validator).toMatch(/^laddr = "tcp:\/\/0\.0\.0\.0:26657"$/m)
    expect(validator).toMatch(/^\[statesync\]\n(#.*\n)+enable = false$/m)
  })

  test('error: testnet --statesync without a node that joins, or without two validators, makes no file', async () => {
    const output = join(temporaryFolder(), 'net')
    for (const counts of [
      ['--v', '3'],
      ['--v', '1', '--n', '1'],
    ]) {
      const { code, stderr } = await halley('testnet', ...counts, '--statesync', '--o', output)
      expect([code, existsSync(output)]).toEqual([1, false])
      expect(stderr).toMatch(/^ERROR: testnet --statesync needs at least two validators.*--v 3 --n 1.*\[CLI_USAGE\]\n$/)
    }
  })

  test('error: testnet refuses more than 10,000 nodes before it makes a file', async () => {
    const output = join(temporaryFolder(), 'net')
    for (const counts of [
      ['--v', '10000', '--n', '1'],
      ['--v', '1', '--n', '9007199254740991'],
    ]) {
      const { code, stderr } = await halley('testnet', ...counts, '--o', output)
      expect(code).toBe(1)
      expect(stderr).toMatch(/^ERROR: testnet makes at most 10000 nodes, not \d+.* \[CLI_USAGE\]\n$/)
      expect(existsSync(output)).toBe(false)
    }
  })

  test('behavior: resets keep the keys and remove all other data', async () => {
    const home = temporaryFolder()
    await halley('init', '--home', home)
    const key = readFileSync(join(home, 'config/priv_validator_key.json'), 'utf8')
    const signed = '{"height":"7","round":0,"step":3}'
    const fill = (): void => {
      for (const name of ['blockstore.db', 'cs.wal', 'other']) mkdirSync(join(home, 'data', name), { recursive: true })
      writeFileSync(join(home, 'data/priv_validator_state.json'), signed)
      writeFileSync(join(home, 'config/addrbook.json'), '{}')
    }
    fill()
    expect((await halley('reset-state', '--home', home)).code).toBe(0)
    expect(readdirSync(join(home, 'data')).sort()).toEqual(['other', 'priv_validator_state.json'])
    expect(readFileSync(join(home, 'data/priv_validator_state.json'), 'utf8')).toBe(signed)

    expect((await halley('unsafe-reset-priv-validator', '--home', home)).code).toBe(0)
    expect(json(join(home, 'data/priv_validator_state.json'))).toEqual({ height: '0', round: 0, step: 0 })

    fill()
    expect((await halley('unsafe-reset-all', '--home', home, '--keep-addr-book')).code).toBe(0)
    expect(readdirSync(join(home, 'data'))).toEqual(['priv_validator_state.json'])
    expect(readdirSync(join(home, 'config'))).toContain('addrbook.json')
    expect(readFileSync(join(home, 'config/priv_validator_key.json'), 'utf8')).toBe(key)
  })

  test.each([
    [['show-node-id'], 'HOME_FILE_MISSING'],
    [['show-validator'], 'HOME_FILE_MISSING'],
    [['init', '--rpc.max_open_connections=-1'], 'CONFIG_VALUE'],
    [['init', '--log_level=loud'], 'LOG_LEVEL'],
    [['init', '--nope'], 'CLI_USAGE'],
    [['nope'], 'CLI_USAGE'],
    [['replay', '--anything'], 'CLI_NOT_BUILT'],
    [['replay'], 'CLI_NOT_BUILT'],
    [['debug', 'kill', '1', 'x'], 'CLI_NOT_BUILT'],
  ])('error: %j ends with one coded line and exit code 1', async (args, code) => {
    const finished = await halley(...args, '--home', temporaryFolder())
    expect(finished.code).toBe(1)
    expect(finished.stderr).toMatch(new RegExp(`^ERROR: .* \\[${code}\\]\\n$`))
  })

  test.each([
    ['config/priv_validator_key.json', 'show-validator', 'PRIVVAL_FILE_CORRUPT'],
    ['config/node_key.json', 'show-node-id', 'HOME_FILE_CORRUPT'],
    ['config/priv_validator_key.json', 'unsafe-reset-all', 'PRIVVAL_FILE_CORRUPT'],
    ['config/priv_validator_key.json', 'init', 'PRIVVAL_FILE_CORRUPT'],
  ])('error: %s of a damaged %s names the file and does not overwrite it', async (file, command, code) => {
    const home = temporaryFolder()
    await halley('init', '--home', home)
    for (const content of ['', '{', '{"priv_key":{"type":"tendermint/PrivKeyEd25519","value":"AAAA"}}', '[]']) {
      writeFileSync(join(home, file), content)
      const finished = await halley(command, '--home', home)
      expect(finished.code).toBe(1)
      expect(finished.stderr).toContain(join(home, file))
      expect(finished.stderr).toContain(`[${code}]`)
      expect(readFileSync(join(home, file), 'utf8')).toBe(content)
    }
  })

  test('behavior: an unknown key in the file is reported, and the command continues', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, 'config'))
    writeFileSync(join(home, 'config/config.toml'), '[rpc]\nladdr = "tcp://127.0.0.1:1"\nnope = 1\n')
    const { code, stdout } = await halley('init', '--home', home)
    expect(code).toBe(0)
    expect(stdout).toMatch(/Unknown key in config file is ignored +module=main key=rpc\.nope file=/)
    rmSync(home, { recursive: true })
  })
})
