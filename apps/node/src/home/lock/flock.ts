import { spawn } from 'node:child_process'

/**
 * Node.js has no flock, but a flock belongs to the open file, not to the process: a helper that inherits the
 * descriptors can take the locks and end, and they stay until this process closes the files. `flock` exists on nearly
 * every Linux, `perl` on macOS.
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

/** The numbers of the helper's file descriptors after standard input, output and error. */
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
