import { useState } from 'preact/hooks'
import { sizeText } from '../format/numbers.ts'

/** Characters that are shown at first. */
const FIRST = 4000

/** A text, of which the page shows the first part until the user asks for all. */
export function LongText({ text, label }: { readonly text: string; readonly label: string }) {
  const [isWhole, setWhole] = useState(false)
  const isCut = text.length > FIRST && !isWhole
  return (
    <div class="long">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls needs the keyboard */}
      <section class="text" tabIndex={0} aria-label={label}>
        <pre>{isCut ? `${text.slice(0, FIRST)}…` : text}</pre>
      </section>
      {isCut ? (
        <button type="button" onClick={() => setWhole(true)}>
          Show all ({sizeText(text.length)})
        </button>
      ) : null}
    </div>
  )
}
