import { useState } from 'preact/hooks'
import { searchLink } from '../live/search.ts'
import { goTo } from '../route.ts'

/** Shows the search field, which every screen has. The user writes a height, a hash, an address, or a query. */
export function SearchBox() {
  const [text, setText] = useState('')
  function submit(event: Event): void {
    event.preventDefault()
    const link = searchLink(text)
    if (link !== undefined) goTo(link)
  }
  return (
    <search class="search">
      <form onSubmit={submit}>
        <input
          type="search"
          aria-label="Search: height, hash, address or query"
          placeholder="Height, hash, address or query  ( / )"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          maxLength={512}
          spellcheck={false}
          autocomplete="off"
        />
      </form>
    </search>
  )
}
