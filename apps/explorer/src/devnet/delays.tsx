import { useState } from 'preact/hooks'
import { counted, numberText } from '../format/numbers.ts'
import { Panel } from '../parts/panel.tsx'
import type { DevnetActionProps } from './devnet-action.ts'
import { info, shortAddress } from './info.ts'
import { NumberField } from './number-field.tsx'
import { ValidatorSelect } from './validator-select.tsx'

/** The maximum number of delays that are listed. */
const MOST = 12

function DelayList() {
  const delays = info.value?.delays ?? []
  const [first] = delays
  if (first === undefined) return <p class="dim">No message is delayed.</p>
  const validators = info.value?.validators.length ?? 0
  const isOfAll = delays.length === validators * (validators - 1)
  if (isOfAll && delays.every(({ milliseconds }) => milliseconds === first.milliseconds))
    return <p>All messages are delayed by {numberText(first.milliseconds)} ms.</p>
  return (
    <>
      <ul class="plain" aria-label="Delays">
        {delays.slice(0, MOST).map(({ from, to, milliseconds }) => (
          <li key={`${from}-${to}`}>
            <code>{shortAddress(from)}</code> → <code>{shortAddress(to)}</code>: {numberText(milliseconds)} ms
          </li>
        ))}
      </ul>
      {delays.length > MOST ? <p class="dim">and {numberText(delays.length - MOST)} more</p> : null}
    </>
  )
}

/** Shows the controls that delay the messages between validators. */
export function Delays({ act }: DevnetActionProps) {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [text, setText] = useState('200')
  const longest = info.value?.maxDelay ?? 0
  const ms = Math.min(longest, Math.max(0, Number.parseInt(text, 10) || 0))
  const delay = (wanted: number, way: { readonly from?: string; readonly to?: string }): void =>
    act('Delay', async (devnet) => {
      const { length } = await devnet.delay(wanted, way)
      return length === 0 ? 'no message is delayed' : `messages of ${counted(length, 'connection')} are delayed`
    })
  function submit(event: Event): void {
    event.preventDefault()
    delay(ms, { ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) })
  }
  return (
    <Panel title="Delay of messages">
      <form class="choices" onSubmit={submit}>
        <ValidatorSelect label="From" value={from} all="all validators" onChoose={setFrom} />
        <ValidatorSelect label="To" value={to} all="all validators" onChoose={setTo} />
        <NumberField label={`Milliseconds, at most ${numberText(longest)}`} text={text} onText={setText} />
        <button type="submit">Delay by {numberText(ms)} ms</button>
        <button type="button" onClick={() => delay(0, {})}>
          End all delays
        </button>
      </form>
      <DelayList />
    </Panel>
  )
}
