import { join } from 'node:path'
import type { Running } from '@org/golden'
import { expect } from 'vitest'
import { commandIn, createWorkspace, root, type Workspace } from './workspace.ts'

/** The way in which one command of a block is tested. */
export interface ShellLine {
  /** The pattern that the output of the command must match. */
  readonly output?: RegExp
  /**
   * A text that the test adds at the end of the command, such as ports. The test replaces `FOLDER` in this text by the
   * path of the temporary folder.
   */
  readonly flags?: string
  /**
   * The number of lines after this line that the test runs before it stops this command. Only for a command that runs
   * until it is stopped.
   */
  readonly runsFor?: number
  /** The reason why no test runs the command. */
  readonly reads?: string
}

/** The way in which a block of shell commands is tested. */
export interface ShellBlock {
  /** The tests of the commands, in the order of the lines. */
  readonly lines: readonly ShellLine[]
  /** The folder of the repository in which the commands run. By default, they run in the temporary folder. */
  readonly folder?: string
  /** Makes the files and starts the programs that the commands need. */
  readonly prepare?: (workspace: Workspace) => Promise<void>
}

/** Runs the commands of a block. Fails if a command fails, or if its output does not match. */
export async function runShellBlock(text: string, { lines, folder, prepare }: ShellBlock): Promise<void> {
  const commands = text.split('\n').filter((line) => line.trim() !== '')
  expect(commands.length, `the block has ${commands.length} commands, and the list has ${lines.length}`).toBe(
    lines.length,
  )
  await using workspace = await createWorkspace()
  await prepare?.(workspace)
  const cwd = folder === undefined ? workspace.folder : join(root, folder)
  const running: { readonly until: number; readonly command: Running }[] = []
  for (const [index, line] of lines.entries()) {
    if (line.reads !== undefined) continue
    const flags = line.flags === undefined ? '' : ` ${line.flags}`
    const command = workspace.replace(`${commandIn(commands[index] ?? '')}${flags}`)
    if (line.runsFor === undefined) expect(await workspace.run(command, cwd), command).toMatch(line.output ?? /^/)
    else {
      const started = workspace.start(command, cwd)
      running.push({ until: index + line.runsFor, command: started })
      if (line.output !== undefined) await started.saw(line.output)
    }
    for (const { until, command: one } of running.toReversed())
      if (until === index) {
        expect([one.child.exitCode, one.output()], 'the command ended by itself').toEqual([null, one.output()])
        await one.stop('SIGINT')
      }
  }
}
