import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { checkNames, parseCommand } from '../src/command.ts'
import { crashAt, crashJobs } from '../src/crashes.ts'
import { findPlantedBug, findPlantedBugs } from '../src/find-planted-bugs.ts'
import { checkPlace, shortCrashes } from '../src/named.ts'

const MAIN = new URL('../src/main.ts', import.meta.url).pathname
const split = (line: string): string[] => line.split(' ').filter((word) => word !== '')

describe('pnpm sim', () => {
  test.each([
    ['', { kind: 'help' }],
    ['crash --help', { kind: 'help' }],
    ['--seeds 1..200 --workers 2', { kind: 'seeds', from: 1, to: 200, fresh: false, workers: 2 }],
    ['--seed 7 --trace t', { kind: 'seed', seed: 7, trace: 't' }],
    ['--crash lone/1/after/power/0', { kind: 'crash point', name: 'lone/1/after/power/0', trace: undefined }],
    ['crash --only lone --every 5', { kind: 'crash', only: 'lone', every: 5, fresh: false, workers: undefined }],
    ['chosen --fresh', { kind: 'chosen', fresh: true, workers: undefined }],
    ['mutants --only a,b --searched 0', { kind: 'mutants', only: ['a', 'b'], searched: 0 }],
    ['kill', { kind: 'kill', kills: 200 }],
    ['explore --rounds 3', { kind: 'explore', rounds: 3 }],
  ])('default: %s', (line, command) => {
    expect(parseCommand(split(line))).toEqual(command)
  })

  test.each([
    'nosuch',
    'crash short',
    '--foo',
    '--every 3',
    '--seed 3 --kills 2',
    'speed --seed 1',
    '--seed',
    '--seed abc',
    '--seed 1.5',
    '--seed -1',
    '--seed=-1',
    '--seed 4294967296',
    '--seeds 5..1',
    '--seeds 1..',
    '--seeds 1..100001',
    'kill --kills x',
    'kill --kills 0',
    'chosen --workers 0',
    'chosen --workers x',
    'explore --rounds 0',
    'explore --rounds x',
    'explore --rounds 4',
    'crash --every 0',
    'mutants --searched 1e3',
  ])('error: %s is refused in one line', (line) => {
    expect(() => parseCommand(split(line))).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.not.stringContaining('\n') }),
    )
  })

  test('error: unknown names and places run nothing', async () => {
    const usage = { name: 'UsageError' }
    expect(() => checkNames(['a', 'c'], ['a', 'b'])).toThrow('--only c: the names are a, b')
    await expect(crashJobs(1, 'nosuch')).rejects.toMatchObject(usage)
    await expect(shortCrashes('nosuch')).rejects.toMatchObject(usage)
    await expect(findPlantedBugs({ only: ['nosuch'], searched: 0 })).rejects.toMatchObject(usage)
    await expect(findPlantedBug('nosuch', 0)).rejects.toThrow('no mutant')
    await expect(crashAt('nonsense')).rejects.toMatchObject(usage)
    await expect(checkPlace('lone crash 99999/after/0')).rejects.toMatchObject(usage)
    await expect(checkPlace('lone crash 9/after/9999')).rejects.toMatchObject(usage)
    await checkPlace('lone crash 84/after/0')
  })

  test.each([
    ['--seed abc', '--seed abc: give a whole number from 0 to 4294967295'],
    ['--seed 1 --trace /no/such/folder/x', "ENOENT: no such file or directory, open '/no/such/folder/x'"],
  ])('error: %s ends with 2 and one line', (line, message) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...split(line)], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toBe(`${message} (pnpm sim --help)\n`)
  })
})
