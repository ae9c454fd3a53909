import { useEffect, useRef } from 'preact/hooks'
import { entries, goTo } from '../live/run.ts'
import { timeText } from '../words.ts'

/** The maximum number of entries in the list. */
const MAX_SHOWN = 250
/**
 * A new entry is added at the end of the list. The list scrolls to the new entry only if the user has scrolled to less
 * than this number of pixels from the end.
 */
const NEAR_END = 40

/** Shows the log of the run, in plain English. A click on a time goes back to this moment. */
export function Log() {
  const list = useRef<HTMLOListElement>(null)
  const follows = useRef(true)
  const shown = entries.value.slice(-MAX_SHOWN)
  useEffect(() => {
    const element = list.current
    if (element !== null && follows.current) element.scrollTop = element.scrollHeight
  }, [shown.length, shown.at(-1)])
  return (
    <section class="panel log" aria-label="Log">
      <h2>The log</h2>
      <ol
        ref={list}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls needs the keyboard
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          follows.current = scrollTop + clientHeight > scrollHeight - NEAR_END
        }}
      >
        {shown.map(({ at, text, tone }, index) => (
          <li key={`${at} ${index}`} class={tone}>
            <button type="button" class="time" title="Go to this moment" onClick={() => goTo(Math.ceil(at))}>
              {timeText(at)}
            </button>
            <span>{text}</span>
          </li>
        ))}
        {shown.length === 0 && <li class="dim empty">Nothing yet. Press play.</li>}
      </ol>
    </section>
  )
}
