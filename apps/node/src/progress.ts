/** Shows how far a long task has come. */
export interface Progress {
  readonly at: (height: number) => void
  readonly end: () => void
}

const QUIET: Progress = { at: () => undefined, end: () => undefined }

export interface ProgressOptions {
  readonly title: string
  readonly from: number
  readonly to: number
  /** Whether the progress bar is shown. It is not shown if the output is no terminal. */
  readonly visible: boolean
}

/** A progress bar on standard error, so that it does not change standard output. */
export async function createProgress({ title, from, to, visible }: ProgressOptions): Promise<Progress> {
  if (!visible || to <= from) return QUIET
  const { SingleBar } = await import('cli-progress')
  const bar = new SingleBar({
    format: `${title} [{bar}] {percentage}% | height {value}/{total} | {eta_formatted} left`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: false,
  })
  bar.start(to, from)
  return { at: (height) => bar.update(height), end: () => bar.stop() }
}
