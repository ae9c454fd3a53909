import { useState } from 'preact/hooks'
import { clock } from '../live/clock.ts'

/**
 * Copies a text to the clipboard. Resolves with false if the browser refuses. Without TLS, a browser has
 * `navigator.clipboard` only in pages from its own machine. In other pages, the old browser command `copy` is used.
 */
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  return isDone
}

const ICONS = {
  ready: 'M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3',
  copied: 'M3 8.5l3.2 3.2L13 4.8',
  refused: 'M4 4l8 8M12 4l-8 8',
} as const

type CopyState = keyof typeof ICONS

/** The time for which the button shows the result. */
const SHOWN_MS = 1200

/** A button that copies a text. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [state, setState] = useState<CopyState>('ready')
  async function run(): Promise<void> {
    setState((await copy(text)) ? 'copied' : 'refused')
    await clock.sleep(SHOWN_MS)
    setState('ready')
  }
  return (
    <button type="button" class={`copy ${state}`} onClick={() => void run()} title={label} aria-label={label}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={ICONS[state]} />
      </svg>
      <span class="hidden" role="status">
        {state === 'ready' ? '' : state}
      </span>
    </button>
  )
}
