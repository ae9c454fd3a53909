import type { RpcMethods } from '@org/rpc/client'
import { sha256 } from '@org/types/crypto'
import { useState } from 'preact/hooks'
import { brief, hexOf } from '../format/bytes.ts'
import { counted, numberText } from '../format/numbers.ts'
import { type GivenForm, givenBytes } from '../format/user-input.ts'
import { useAction } from '../live/use-action.ts'
import { BytesField } from '../parts/bytes-field.tsx'
import { Code } from '../parts/code.tsx'
import { LongText } from '../parts/long-text.tsx'
import { Facts, Panel } from '../parts/panel.tsx'
import { Payload } from '../parts/payload.tsx'
import { Problem } from '../parts/problem.tsx'
import { Raw } from '../parts/raw.tsx'
import { VerifiedMark } from '../parts/verified-mark.tsx'

type QueryAnswer = Awaited<ReturnType<RpcMethods['abciQuery']>>

/** A query that the user sent to the application, with the answer of the application. */
interface Asked {
  readonly path: string
  readonly data: Uint8Array
  readonly answer: QueryAnswer
}

function QueryResult({ asked }: { readonly asked: Asked }) {
  const { path, data, answer } = asked
  const { code, log, info, key, value, height, proofOps } = answer.response
  const steps = proofOps?.ops ?? []
  return (
    <Facts
      rows={[
        ['Code', <Code key="code" code={code} good="ok" />],
        ['Key', <Payload key="key" bytes={key} name="the key" />],
        ['Value', <Payload key="value" bytes={value} name="the value" />],
        ['Height', numberText(height)],
        ...(log === '' ? [] : [['Log', <LongText key="log" text={log} label="Log" />] as const]),
        ...(info === '' ? [] : [['Info', <LongText key="info" text={info} label="Info" />] as const]),
        [
          'Proof',
          steps.length === 0 ? (
            <span class="dim" key="none">
              none
            </span>
          ) : (
            <span key="proof">
              {counted(steps.length, 'step')}: {brief(steps.map(({ type }) => type).join(', '), 200)}{' '}
              <VerifiedMark
                name={`query ${path} ${height} ${hexOf(sha256(key))} ${hexOf(sha256(value))}`}
                proves="key and value, by the proof of the application"
                check={(verifier) => verifier.checkQuery({ path, data }, answer)}
              />
            </span>
          ),
        ],
      ]}
    />
  )
}

/** The form that queries the application, with its answer. */
export function QueryForm() {
  const [path, setPath] = useState('')
  const [text, setText] = useState('')
  const [form, setForm] = useState<GivenForm>('text')
  const [height, setHeight] = useState('')
  const [prove, setProve] = useState(false)
  const { run, value, error, exchanges, isLoading } = useAction<Asked>()
  function submit(event: Event): void {
    event.preventDefault()
    run(async (client) => {
      const data = givenBytes(text, form)
      const answer = await client.abciQuery({ path, data, height: Number(height), prove })
      return { path, data, answer }
    })
  }
  return (
    <Panel title="Query the application">
      <form class="form" onSubmit={submit}>
        <label>
          <span>Path</span>
          <input
            value={path}
            placeholder="empty, or such as /store/bank/key"
            spellcheck={false}
            onInput={(event) => setPath(event.currentTarget.value)}
          />
        </label>
        <BytesField label="Data" text={text} form={form} onText={setText} onForm={setForm} />
        <label>
          <span>Height</span>
          <input
            value={height}
            inputMode="numeric"
            pattern="\d*"
            placeholder="empty: the last height"
            onInput={(event) => setHeight(event.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked={prove} onChange={(event) => setProve(event.currentTarget.checked)} />
          <span>With a proof</span>
        </label>
        <button type="submit" class="main" disabled={isLoading}>
          {isLoading ? 'Waiting …' : 'Query'}
        </button>
      </form>
      <div role="status">{value === undefined ? null : <QueryResult asked={value} />}</div>
      {error === undefined ? null : <Problem error={error} />}
      <Raw exchanges={exchanges} />
    </Panel>
  )
}
