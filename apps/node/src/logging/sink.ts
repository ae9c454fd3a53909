import { openSync, writeSync } from 'node:fs'
import type { Clock } from '@org/runtime'

/** Writes log lines. The lines of one turn of the event loop are written together. */
export interface Sink {
  readonly write: (line: string) => void
  /**
   * Shows a status text below all lines of a terminal, and removes the previous status text. An empty text only removes
   * the previous one.
   */
  readonly showStatus: (text: string) => void
  /** Writes the lines that wait. To be called before the process ends. */
  readonly flush: () => void
}

/** The maximum number of bytes that wait for a slow reader of the log. Further lines are dropped. */
const MAX_WAITING = 16 * 1024 * 1024
/** The lines of one turn are written in pieces of about this many characters. */
const BATCH_LENGTH = 64 * 1024
const RETRY_MS = 5
const MAX_RETRIES = 40
/** The control sequence that moves to the first column of a terminal and clears the line. */
const CLEAR_LINE = '\r\u001b[K'

/** Writes to a file descriptor, or appends to a file. If no program reads the log, the node still continues. */
export function createSink(target: number | string, clock: Pick<Clock, 'after'>): Sink {
  const descriptor = typeof target === 'number' ? target : openSync(target, 'a')
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let lines = ''
  let status = ''
  /** The status text that is on the terminal now, below the log lines. */
  let shownStatus = ''
  let scheduled = false
  let broken = false

  function collect(): void {
    if (lines === '' && status === shownStatus) return
    const bytes = Buffer.from((shownStatus === '' ? '' : CLEAR_LINE) + lines + status)
    lines = ''
    shownStatus = status
    if (waitingBytes + bytes.length > MAX_WAITING) return
    waiting.push(bytes)
    waitingBytes += bytes.length
  }

  /** Writes the lines that wait. Returns false if the reader accepts no more bytes at the moment. */
  function writeOut(): boolean {
    let next = 0
    try {
      while (next < waiting.length) {
        const bytes = waiting[next] as Uint8Array
        const written = writeSync(descriptor, bytes)
        waitingBytes -= written
        if (written < bytes.length) waiting[next] = bytes.subarray(written)
        else next++
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false
      broken = true
    } finally {
      // All written pieces are removed together. If the reader of the log was stopped for a long time, a hundred
      // thousand pieces may wait, and to remove each piece alone would take quadratic time.
      if (next > 0) waiting = waiting.slice(next)
    }
    return true
  }

  function turn(): void {
    scheduled = false
    collect()
    if (writeOut()) return
    // The reader accepts no bytes, perhaps for a long time. An attempt in each turn of the event loop would keep a core
    // busy.
    scheduled = true
    clock.after(RETRY_MS, turn)
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(turn)
  }

  return {
    write: (line) => {
      if (broken) return
      lines += line
      if (lines.length >= BATCH_LENGTH) collect()
      schedule()
    },
    showStatus: (text) => {
      if (broken) return
      status = text
      schedule()
    },
    flush: () => {
      collect()
      // If the pipe is full, waits a short time, so that the reader can empty the pipe.
      for (let retry = 0; !writeOut() && retry < MAX_RETRIES; retry++) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
      }
    },
  }
}
