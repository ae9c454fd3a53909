import type { RpcMethods } from '@org/rpc/client'
import { sha256 } from '@org/types/crypto'
import { useState } from 'preact/hooks'
import { brief, hexOf } from '../format/bytes.ts'
import { type GivenForm, givenBytes } from '../format/given.ts'
import { counted, numberText } from '../format/numbers.ts'
import { useAction } from '../live/use-action.ts'
import { BytesField } from '../parts/bytes-field.tsx'
import { Hash } from '../parts/hash.tsx'
import { LongText } from '../parts/long-text.tsx'
import { Facts, Panel } from '../parts/panel.tsx'
import { Payload } from '../parts/payload.tsx'
import { Problem } from '../parts/problem.tsx'
import { Raw } from '../parts/raw.tsx'
import { VerifiedMark } from '../parts/verified-mark.tsx'
import { linkTo } from '../route.ts'

const MODES = {
  commit: 'wait for the block',
  sync: 'wait for the check',
  async: 'do not wait',
  check: 'only check, do not send',
} as const

type Mode = keyof typeof MODES

interface Sent {
  readonly code: number
  readonly log: string
  readonly hash: Uint8Array | undefined
  readonly height: number | undefined
}

async function sendTx(client: RpcMethods, tx: Uint8Array, mode: Mode): Promise<Sent> {
  switch (mode) {
    case 'commit': {
      const { checkTx, txResult, hash, height } = await client.broadcastTxCommit({ tx })
      const failed = checkTx.code === 0 ? txResult : checkTx
      return { code: failed.code, log: failed.log, hash, height: height === 0 ? undefined : height }
    }
    case 'check': {
      const { code, log } = await client.checkTx({ tx })
      return { code, log, hash: undefined, height: undefined }
    }
    case 'sync':
    case 'async': {
      const { code, log, hash } = await (mode === 'sync'
        ? client.broadcastTxSync({ tx })
        : client.broadcastTxAsync({ tx }))
      return { code, log, hash, height: undefined }
    }
  }
}

function Result({ sent }: { readonly sent: Sent }) {
  const { code, log, hash, height } = sent
  return (
    <Facts
      rows={[
        [
          'Code',
          code === 0 ? (
            <span class="good" key="ok">
              0 (accepted)
            </span>
          ) : (
            <span class="bad" key="bad">
              {code} (refused)
            </span>
          ),
        ],
        ...(log === '' ? [] : [['Log', <LongText key="log" text={log} label="Log" />] as const]),
        ...(hash === undefined
          ? []
          : [
              [
                'Hash',
                <Hash key="hash" bytes={hash} name="the hash of the transaction" link={linkTo('tx', hexOf(hash))} />,
              ] as const,
            ]),
        ...(height === undefined
          ? []
          : [
              [
                'Block',
                <a key="block" href={linkTo('block', height)}>
                  {numberText(height)}
                </a>,
              ] as const,
            ]),
      ]}
    />
  )
}

function SendForm() {
  const [text, setText] = useState('')
  const [form, setForm] = useState<GivenForm>('text')
  const [mode, setMode] = useState<Mode>('commit')
  const { run, value, error, exchanges, isLoading } = useAction<Sent>()
  function submit(event: Event): void {
    event.preventDefault()
    run(async (client) => sendTx(client, givenBytes(text, form), mode))
  }
  return (
    <Panel title="Send a transaction">
      <form class="form" onSubmit={submit}>
        <BytesField label="Transaction" text={text} form={form} onText={setText} onForm={setForm} />
        <label>
          <span>After sending</span>
          <select value={mode} onChange={(event) => setMode(event.currentTarget.value as Mode)}>
            {(Object.keys(MODES) as Mode[]).map((each) => (
              <option key={each} value={each}>
                {MODES[each]}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="main" disabled={isLoading}>
          {isLoading ? 'Waiting …' : mode === 'check' ? 'Check' : 'Send'}
        </button>
      </form>
      <div role="status">{value === undefined ? null : <Result sent={value} />}</div>
      {error === undefined ? null : <Problem error={error} />}
      <Raw exchanges={exchanges} />
    </Panel>
  )
}

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
        [
          'Code',
          code === 0 ? (
            <span class="good" key="ok">
              0 (ok)
            </span>
          ) : (
            <span class="bad" key="bad">
              {code}
            </span>
          ),
        ],
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

function QueryForm() {
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

/** Shows the forms that send a transaction, and that query the application. */
export function Send() {
  return (
    <>
      <h1>Send and query</h1>
      <div class="columns">
        <SendForm />
        <QueryForm />
      </div>
    </>
  )
}
