import { createHash } from 'node:crypto'

/**
 * The events of a run as lines of text. The hash of the lines shows whether two runs are equal. After a failure, the
 * last lines are printed.
 */
export interface Trace {
  readonly note: (...parts: readonly (string | number)[]) => void
  readonly digest: () => string
  readonly lines: () => number
  /** Returns the last lines of the trace. */
  readonly tail: () => readonly string[]
}

export interface TraceOptions {
  readonly now: () => number
  /** The number of last lines that the trace keeps. */
  readonly keep: number
  /** Called with each line. */
  readonly onLine?: ((line: string) => void) | undefined
}

/** A trace that records nothing. */
export const NOOP_TRACE: Trace = { note: () => undefined, digest: () => '', lines: () => 0, tail: () => [] }

const FLUSH_AT = 16_384

export function createTrace({ now, keep, onLine }: TraceOptions): Trace {
  const hash = createHash('sha256')
  const kept: string[] = []
  let waiting = ''
  let lines = 0
  let at = Number.NaN
  let time = ''
  return {
    note: (...parts) => {
      if (now() !== at) {
        at = now()
        time = at.toFixed(6)
      }
      let line = time
      for (const part of parts) line += ` ${part}`
      waiting += `${line}\n`
      lines++
      if (waiting.length > FLUSH_AT) {
        hash.update(waiting)
        waiting = ''
      }
      onLine?.(line)
      if (keep === 0) return
      kept.push(line)
      if (kept.length > 2 * keep) kept.splice(0, kept.length - keep)
    },
    digest: () => {
      hash.update(waiting)
      waiting = ''
      return hash.copy().digest('hex')
    },
    lines: () => lines,
    tail: () => kept.slice(-keep),
  }
}
