import { useState } from 'preact/hooks'
import { visible } from '../format/bytes.ts'
import { completed, suggestionsFor } from '../live/query-help.ts'

interface QueryFieldProps {
  readonly text: string
  readonly keys: readonly string[]
  readonly onText: (text: string) => void
}

/** A field for a query, with a list of suggestions for the next word. */
export function QueryField({ text, keys, onText }: QueryFieldProps) {
  const [at, setAt] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const list = isOpen ? suggestionsFor(text, keys) : []
  function pick(choice: string): void {
    onText(completed(text, choice))
    setAt(-1)
  }
  function onKey(event: KeyboardEvent): void {
    const chosen = list[at]
    if (event.key === 'Escape') setOpen(false)
    else if (event.key === 'ArrowDown' && list.length > 0) setAt((at + 1) % list.length)
    else if (event.key === 'ArrowUp' && list.length > 0) setAt((at + list.length - 1) % list.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) pick(chosen)
    else return
    event.preventDefault()
  }
  return (
    <div class="query-field">
      <input
        id="query"
        role="combobox"
        aria-label="Query"
        aria-expanded={list.length > 0}
        aria-controls="query-list"
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 && at < list.length ? `query-${at}` : undefined}
        value={text}
        maxLength={512}
        spellcheck={false}
        autocomplete="off"
        placeholder="tx.height > 5 AND app.key='name'"
        onInput={(event) => {
          onText(event.currentTarget.value)
          setOpen(true)
          setAt(-1)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKey}
      />
      <div id="query-list" role="listbox" aria-label="How the query may continue" hidden={list.length === 0}>
        {list.map((choice, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the field select an entry of the list
          <div
            key={choice}
            id={`query-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(choice)}
          >
            {visible(choice).slice(0, 100)}
          </div>
        ))}
      </div>
    </div>
  )
}
