import { useMemo, useState } from 'preact/hooks'
import { brief } from '../format/bytes.ts'
import { curlOf } from '../format/curl.ts'
import { indentedJson } from '../format/json.ts'
import { type Exchange, RPC_URL } from '../live/node.ts'
import { CopyButton } from './copy-button.tsx'
import { LongText } from './long-text.tsx'
import { MoreButton } from './more-button.tsx'

/** The number of calls that are shown at first, and the number that each click on the button adds. */
const FIRST = 8
/** The maximum number of characters of a command that are shown. */
const MAX_CURL = 2000
const TOO_DEEP = 'This answer has too many nested levels, so the page cannot show it.'

function RawCall({ exchange }: { readonly exchange: Exchange }) {
  const { call, answer } = exchange
  const curl = curlOf(RPC_URL, call)
  const json = useMemo(() => indentedJson(answer) ?? TOO_DEEP, [answer])
  return (
    <section class="raw-call" aria-label={`The call ${call.method}`}>
      <h4>{call.method}</h4>
      <div class="curl">
        <code>{brief(curl, MAX_CURL)}</code>
        <CopyButton text={curl} label={`Copy the curl command of ${call.method}`} />
      </div>
      <LongText text={json} label={`The answer to ${call.method}`} />
    </section>
  )
}

/** Shows the calls that a screen has made: the JSON of each answer, and the curl command of the call. */
export function Raw({ exchanges }: { readonly exchanges: readonly Exchange[] }) {
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState(FIRST)
  if (exchanges.length === 0) return null
  return (
    <details class="raw" onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>Raw JSON and curl</summary>
      {isOpen ? (
        <>
          {exchanges.slice(0, shown).map((exchange, i) => (
            <RawCall key={`${exchange.call.method}-${i}`} exchange={exchange} />
          ))}
          <MoreButton name="calls" shown={shown} total={exchanges.length} step={FIRST} onMore={setShown} />
        </>
      ) : null}
    </details>
  )
}
