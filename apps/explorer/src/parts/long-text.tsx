import { useState } from 'preact/hooks'
import { visible } from '../format/bytes.ts'
import { numberText } from '../format/numbers.ts'

/** The number of characters that are shown at first. */
const FIRST = 4000
/** The number of characters that each click on the button adds. More characters would freeze the page. */
const STEP = 50_000

interface LongTextProps {
  /** The text may have any characters. Each invisible character is shown as its number, such as `\u202e`. */
  readonly text: string
  readonly label: string
}

/** Splits the shown text into pieces, because a browser lays out many short pieces faster than one long piece. */
function piecesOf(text: string, shown: number): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < shown; at = at === 0 ? FIRST : at + STEP) {
    const end = Math.min(shown, at === 0 ? FIRST : at + STEP)
    pieces.push(visible(text.slice(at, end)))
  }
  return pieces
}

/** Shows the first part of a text, with a button for the next part. */
export function LongText({ text, label }: LongTextProps) {
  const [wanted, setWanted] = useState(FIRST)
  const shown = Math.min(text.length, wanted)
  const hiddenLength = text.length - shown
  return (
    <div class="long">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls needs the keyboard */}
      <section class="text" tabIndex={0} aria-label={label}>
        {piecesOf(text, shown).map((piece, i) => (
          <pre key={i}>{piece}</pre>
        ))}
        {hiddenLength > 0 ? <span aria-hidden="true">…</span> : null}
      </section>
      {hiddenLength > 0 ? (
        <button type="button" onClick={() => setWanted(shown + STEP)}>
          Show {numberText(Math.min(hiddenLength, STEP))} more of {numberText(text.length)} characters
        </button>
      ) : null}
    </div>
  )
}
