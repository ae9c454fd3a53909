import { useState } from 'preact/hooks'
import { visible } from '../format/bytes.ts'
import { curlOf } from '../format/curl.ts'
import { type Exchange, RPC_URL } from '../live/node.ts'
import { CopyButton } from './copy-button.tsx'
import { LongText } from './long-text.tsx'

/** Calls of one screen that are shown. */
const MOST = 12

function RawCall({ exchange }: { readonly exchange: Exchange }) {
  const { call, answer } = exchange
  const curl = curlOf(RPC_URL, call)
  return (
    <section class="raw-call" aria-label={`The call ${call.method}`}>
      <h4>{call.method}</h4>
      <div class="curl">
        <code>{visible(curl)}</code>
        <CopyButton text={curl} label={`Copy the curl command of ${call.method}`} />
      </div>
      <LongText text={visible(JSON.stringify(answer, null, 2))} label={`The answer to ${call.method}`} />
    </section>
  )
}

/** The calls behind a screen: the JSON of each answer, and the command that gives it. */
export function Raw({ exchanges }: { readonly exchanges: readonly Exchange[] }) {
  const [isOpen, setOpen] = useState(false)
  if (exchanges.length === 0) return null
  const shown = exchanges.slice(0, MOST)
  return (
    <details class="raw" onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>Raw JSON and curl</summary>
      {isOpen ? shown.map((exchange, i) => <RawCall key={`${exchange.call.method}-${i}`} exchange={exchange} />) : null}
    </details>
  )
}
