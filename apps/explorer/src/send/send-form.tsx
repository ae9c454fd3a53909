import type { RpcMethods } from '@org/rpc/client'
import { useState } from 'preact/hooks'
import { hexOf } from '../format/bytes.ts'
import { numberText } from '../format/numbers.ts'
import { type GivenForm, givenBytes } from '../format/user-input.ts'
import { useAction } from '../live/use-action.ts'
import { BytesField } from '../parts/bytes-field.tsx'
import { Code } from '../parts/code.tsx'
import { Hash } from '../parts/hash.tsx'
import { LongText } from '../parts/long-text.tsx'
import { Facts, Panel } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { Raw } from '../parts/raw.tsx'
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
        ['Code', <Code key="code" code={code} good="accepted" bad="(refused)" />],
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

/** The form that sends a transaction, with the answer of the node. */
export function SendForm() {
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
