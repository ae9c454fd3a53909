import { spawn } from 'node:child_process'

/**
 * The helper programs that can take a flock, because Node.js has no function for flock. Nearly every Linux has the
 * program `flock`, and macOS has `perl`. A helper inherits the file descriptors of this process, takes the locks and
 * ends. A flock belongs to the opened file, and not to the process that took the lock. So the locks stay until this
 * process closes the files.
 */
const HELPERS: readonly { readonly command: string; readonly args: (count: number) => readonly string[] }[] = [
  {
    command: 'sh',
    args: (count) => [
      '-c',
      `command -v flock >/dev/null 2>&1 || exit 127; ${range(count)
        .map((descriptor) => `flock -n ${descriptor} || exit 1`)
        .join('; ')}`,
    ],
  },
  {
    command: 'perl',
    args: (count) => [
      '-e',
      'for my $n (@ARGV) { open(my $f, "+<&=", $n) or exit 127; push @keep, $f; flock($f, 2|4) or exit 1; }',
      ...range(count).map(String),
    ],
  },
]

/**
 * Returns the numbers of the `count` file descriptors that a helper program inherits. The numbers begin at 3, because 0
 * to 2 are the standard streams of the program.
 */
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 3)

export type FlockResult = 'held' | 'busy' | 'unavailable'

function runHelper(command: string, args: readonly string[], descriptors: readonly number[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore', ...descriptors] })
    child.once('error', () => resolve(127))
    child.once('exit', (code) => resolve(code ?? 127))
  })
}

/** Takes an exclusive flock on each of these open files, without waiting. */
export async function flockAll(descriptors: readonly number[]): Promise<FlockResult> {
  for (const { command, args } of HELPERS) {
    const code = await runHelper(command, args(descriptors.length), descriptors)
    if (code === 0) return 'held'
    if (code === 1) return 'busy'
  }
  return 'unavailable'
}
