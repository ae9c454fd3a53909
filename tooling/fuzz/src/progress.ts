import { Presets, SingleBar } from 'cli-progress'

/** Shows the progress of a run as a bar. Without a terminal, no bar is shown. */
export interface Progress {
  readonly note: (inputs: number, what: string) => void
  /**
   * Moves the bar forward. The caller calls this after each step, and may give a line of results, which is printed
   * above the bar.
   */
  readonly advance: (line?: string) => void
  readonly stop: () => void
}

export function createProgress(total: number): Progress {
  const bar = process.stderr.isTTY
    ? new SingleBar(
        { format: '{bar} {value}/{total} {what}', clearOnComplete: true, stream: process.stderr },
        Presets.shades_classic,
      )
    : undefined
  bar?.start(total, 0, { what: '' })
  return {
    note: (inputs, what) => bar?.update({ what: `${what}: ${inputs.toLocaleString('en')}` }),
    advance: (line) => {
      if (line !== undefined) {
        if (bar !== undefined) process.stderr.write('\r\u001b[K')
        console.log(line)
      }
      bar?.increment()
    },
    stop: () => bar?.stop(),
  }
}
