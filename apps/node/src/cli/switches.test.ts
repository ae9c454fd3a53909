import type { Command } from 'commander'
import { expect, test } from 'vitest'
import type { CommandContext } from '../context.ts'
import { createProgram } from './program.ts'
import { withoutSwitchValues } from './switches.ts'

const nothing = (): undefined => undefined
const program = createProgram({} as CommandContext, { onExitCode: nothing, out: nothing, warn: nothing })
const parse = (...tokens: readonly string[]): readonly string[] => withoutSwitchValues(program, tokens)

/**
 * Returns the names of the flags of a command and of all its subcommands: the boolean flags if `areBoolean`, otherwise
 * the flags with a value.
 */
function flagsOf(command: Command, areBoolean: boolean): readonly string[] {
  const own = command.options.filter((option) => option.isBoolean() === areBoolean && !option.negate)
  return [...own.map(({ long }) => long ?? ''), ...command.commands.flatMap((below) => flagsOf(below, areBoolean))]
}

test('default: every boolean flag of every command takes true and false after =', () => {
  const flags = flagsOf(program, true)
  expect(flags).toEqual(expect.arrayContaining(['--hard', '--control', '--stay-up', '--write', '--verbose', '--yes']))
  for (const flag of flags) {
    const off = flag === '--populate-persistent-peers' ? ['--no-populate-persistent-peers'] : []
    expect(parse('x', `${flag}=true`)).toEqual(['x', flag])
    expect(parse('x', `${flag}=F`)).toEqual(['x', ...off])
    expect(parse('x', flag, `${flag}=false`)).toEqual(['x', ...off])
    expect(parse('x', `${flag}=0`, `${flag}=1`)).toEqual(['x', ...off, flag])
  }
})

test('default: no flag is boolean in one command and has a value in another one', () => {
  const valued = flagsOf(program, false)
  expect(valued).toEqual(expect.arrayContaining(['--validators', '--height', '--dump']))
  expect(flagsOf(program, true).filter((flag) => valued.includes(flag))).toEqual([])
})

test('default: other arguments, and those after --, stay as they are', () => {
  const given = ['testnet', '--v=2', '--o', '--moniker=true', 'hard=true', '--', '--hard=true']
  expect(parse(...given)).toEqual(given)
})

test('error: a value that is not a boolean is refused', () => {
  expect(() => parse('devnet', '--log=debug')).toThrow(
    'invalid argument "debug" for "--log" flag: true or false is expected, and the flag without a value means true',
  )
})
