import { spawnSync } from 'node:child_process'

/** Whether `script` of util-linux is installed. This program runs a command on a terminal of its own. */
export const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

/** Returns a program and its arguments that run a command line on a terminal. The lines of its output end in `\r\n`. */
export const onTerminal = (command: string): readonly [string, readonly string[]] => [
  'script',
  ['-qec', command, '/dev/null'],
]
