import { createSystemClock, createSystemRandom, escapeControlsInLines } from '@org/runtime'
import { isCodedError } from '@org/runtime/errors'
import { CommanderError } from 'commander'
import { type Environment, findHome } from '../config/index.ts'
import type { CommandContext, FaultSource, LineSource } from '../context.ts'
import { createHeapGrowth } from '../heap-growth.ts'
import type { SignalSource } from '../node/serve.ts'
import { createProgram } from './program.ts'
import { splitFlags } from './split-flags.ts'
import { withoutSwitchValues } from './switches.ts'

/** The process in which the command runs: its environment, output, input, signals and folder. */
export interface CliProcess {
  readonly env: Environment
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly interactive: boolean
  readonly signals: SignalSource
  /** Passes each line of standard input to a listener. If `lines` is missing, no line is passed. */
  readonly lines?: LineSource
  /** Passes each error that no code caught to a listener. If `faults` is missing, no error is passed. */
  readonly faults?: FaultSource
  readonly workingFolder: string
}

function describe(error: unknown, trace: boolean): string {
  return escapeControlsInLines(textOf(error, trace))
}

function textOf(error: unknown, trace: boolean): string {
  const stack = trace && error instanceof Error ? `${error.stack}\n` : ''
  if (isCodedError(error)) return `ERROR: ${error.message} [${error.code}]\n${stack}`
  // An error without a code is unexpected: its stack is printed to show where it comes from.
  return `ERROR: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`
}

/** Runs one command; the result is the exit code. */
export async function runCli(argv: readonly string[], process: CliProcess): Promise<number> {
  let trace = argv.includes('--trace')
  try {
    const split = splitFlags(argv)
    trace = split.trace
    const clock = createSystemClock()
    const context: CommandContext = {
      ...findHome(split.home, process.env),
      flags: split.flags,
      env: process.env,
      out: process.out,
      interactive: process.interactive,
      signals: process.signals,
      lines: process.lines ?? (() => undefined),
      faults: process.faults ?? (() => undefined),
      openPage: () => undefined,
      workingFolder: process.workingFolder,
      clock,
      heapGrowth: createHeapGrowth({ clock }),
      random: createSystemRandom(),
    }
    let code = 0
    const program = createProgram(context, {
      onExitCode: (result) => {
        code = result
      },
      out: process.out,
      // A script may read standard output and standard error as one text. A warning would change this text, so warnings
      // are written only if a person reads the output.
      warn: (text) => {
        if (process.interactive) process.err(text)
      },
    })
    await program.parseAsync(withoutSwitchValues(program, split.remaining), { from: 'user' })
    return code
  } catch (error) {
    // commander throws an error with the exit code 0 when it has shown the help.
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    process.err(describe(error, trace))
    return 1
  }
}
