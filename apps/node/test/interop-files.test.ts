import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findCometbft, HALLEY, run, temporaryFolder } from './support/process.ts'

const cometbft = findCometbft() ?? ''

/** Replaces keys, addresses, times and chain ids by `*`, because only these may differ. */
function shape(text: string): string {
  return text
    .replace(/"(value|address)": ?"[^"]+"/g, '"$1": "*"')
    .replace(/"genesis_time": "[^"]+"/, '"genesis_time": "*"')
    .replace(/"chain_id": "(test-)?chain-\w{6}"/, '"chain_id": "*"')
    .replace(/\b[\da-f]{40}\b/g, '*')
}

describe.skipIf(cometbft === '')('homes beside the reference (skipped without a cometbft on PATH)', () => {
  test.each([
    ['init', ['init', '--home'], '.'],
    [
      'testnet',
      ['testnet', '--v', '2', '--n', '1', '--initial-height', '7', '--hostname-suffix', '.example', '--o'],
      'node1',
    ],
  ])('default: the command %s writes the same files as the reference', async (_, args, inside) => {
    const root = temporaryFolder()
    const folders = { ours: join(root, 'ours'), theirs: join(root, 'theirs') }
    await run(HALLEY, [...args, folders.ours])
    await run(cometbft, [...args, folders.theirs])
    for (const folder of ['config', 'data']) {
      const files = readdirSync(join(folders.theirs, inside, folder)).sort()
      expect(readdirSync(join(folders.ours, inside, folder)).sort()).toEqual(files)
      for (const file of files) {
        const read = (home: string): string => readFileSync(join(home, inside, folder, file), 'utf8')
        if (file === 'config.toml' && inside === '.') expect(read(folders.ours)).toBe(read(folders.theirs))
        else expect(shape(read(folders.ours)), file).toBe(shape(read(folders.theirs)))
      }
    }
  })

  test('behavior: Halley reads the files of the reference, and the reference reads those of Halley', async () => {
    const root = temporaryFolder()
    for (const [maker, reader] of [
      [HALLEY, cometbft],
      [cometbft, HALLEY],
    ] as const) {
      const home = join(root, maker === HALLEY ? 'ours' : 'theirs')
      await run(maker, ['init', '--home', home])
      for (const command of ['show-node-id', 'show-validator']) {
        const [own, other] = [await run(maker, [command, '--home', home]), await run(reader, [command, '--home', home])]
        expect(own.stdout.trim()).toBe(other.stdout.trim())
        expect(own.code).toBe(0)
      }
    }
  })

  test('behavior: the command version prints the same as the reference', async () => {
    const [ours, theirs] = [await run(HALLEY, ['version']), await run(cometbft, ['version'])]
    expect(ours.stdout).toBe(theirs.stdout)
    const [verbose, reference] = [await run(HALLEY, ['version', '-v']), await run(cometbft, ['version', '--verbose'])]
    expect(JSON.parse(verbose.stdout)).toMatchObject(JSON.parse(reference.stdout))
  })
})
