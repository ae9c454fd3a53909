import { useState } from 'preact/hooks'
import { clock } from '../live/clock.ts'

/** Pages of an address without TLS have no clipboard, except on this machine. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return await navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

const SHEETS = 'M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3'
const DONE = 'M3 8.5l3.2 3.2L13 4.8'

/** A button that copies a text. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isDone, setDone] = useState(false)
  async function run(): Promise<void> {
    await copy(text).then(
      () => setDone(true),
      () => undefined,
    )
    await clock.sleep(1200)
    setDone(false)
  }
  return (
    <button type="button" class="copy" onClick={() => void run()} title={label} aria-label={label}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={isDone ? DONE : SHEETS} />
      </svg>
    </button>
  )
}
