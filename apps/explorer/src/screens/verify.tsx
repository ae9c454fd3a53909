import { useState } from 'preact/hooks'
import { hexOf } from '../format/bytes.ts'
import { numberText } from '../format/numbers.ts'
import { blocks, secondHeight, status } from '../live/chain.ts'
import { useAnswer } from '../live/use-answer.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Facts, Panel } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { linkTo, route } from '../route.ts'
import { DEFAULT_DAYS, type Trust, trustFault } from '../verify/trust.ts'
import { endVerification, startVerification, type Verification, verification } from '../verify/verification.ts'
import type { Verifier } from '../verify/verifier.ts'

type Draft = Readonly<Record<'height' | 'hash' | 'days' | 'witness', string>>

interface FieldProps {
  readonly label: string
  readonly name: keyof Draft
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  readonly placeholder?: string
}

function Field({ label, name, draft, onDraft, placeholder = '' }: FieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        value={draft[name]}
        placeholder={placeholder}
        spellcheck={false}
        autocomplete="off"
        maxLength={300}
        inputMode={name === 'height' || name === 'days' ? 'numeric' : 'text'}
        onInput={(event) => onDraft({ ...draft, [name]: event.currentTarget.value.trim() })}
      />
    </label>
  )
}

/**
 * Returns true if the browser lets this page call a second node. The result is true if the URL of the page names its
 * node with `?rpc=`. Without `?rpc=`, the page came from a node. The node's Content-Security-Policy then permits calls
 * to this node only, so the function returns false.
 */
const mayCallOthers = (): boolean => new URLSearchParams(location.search).has('rpc')

function trustOf(chainId: string, { height, hash, days, witness }: Draft): Trust {
  return { chainId, height: Number(height), hash: hash.replace(/^0x/i, '').toUpperCase(), days: Number(days), witness }
}

function StartForm({ chainId }: { readonly chainId: string }) {
  const { query } = route.value
  const [draft, setDraft] = useState<Draft>({
    height: query.get('height') ?? '',
    hash: query.get('hash') ?? '',
    days: query.get('days') ?? String(DEFAULT_DAYS),
    witness: query.get('witness') ?? '',
  })
  const [fault, setFault] = useState<string | undefined>(undefined)
  const newest = blocks.value[0]
  function submit(event: Event): void {
    event.preventDefault()
    const trust = trustOf(chainId, draft)
    const found = trustFault(trust)
    setFault(found)
    if (found === undefined) void startVerification(trust)
  }
  const field = { draft, onDraft: setDraft }
  return (
    <form class="form" onSubmit={submit}>
      <Field label="Height that you trust" name="height" {...field} />
      <Field label="Hash of the block at this height" name="hash" placeholder="64 hex digits" {...field} />
      <Field label="Trusting period, in days: clearly shorter than the unbonding period" name="days" {...field} />
      {mayCallOthers() ? (
        <Field
          label="Another node that must confirm each header (optional)"
          name="witness"
          placeholder="such as https://rpc.example.com"
          {...field}
        />
      ) : null}
      {fault === undefined ? null : (
        <p class="bad" role="alert">
          {fault}
        </p>
      )}
      <div class="choices">
        <button type="submit" class="main">
          Start verifying
        </button>
        <button
          type="button"
          disabled={newest === undefined}
          onClick={() => {
            if (newest === undefined) return
            const { header, blockId } = newest
            setDraft({ ...draft, height: String(header.height), hash: hexOf(blockId.hash) })
          }}
        >
          Take the newest block of this node
        </button>
      </div>
      <p class="dim">
        Take height and hash from a source other than this node: another explorer, a friend, your own node. With “the
        newest block of this node” you trust the node once, and verify all that it sends afterwards.
      </p>
    </form>
  )
}

const shareOf = ({ height, hash, days, witness }: Trust): string =>
  linkTo('verify', '', { height: String(height), hash, days: String(days), ...(witness === '' ? {} : { witness }) })

function Running({ trust, verifier }: { readonly trust: Trust; readonly verifier: Verifier }) {
  const { value, error } = useAnswer(
    'verify-update',
    async () => {
      await verifier.update()
      return verifier.range()
    },
    Math.floor(secondHeight.value / 5),
  )
  const link = `${location.origin}${location.pathname}${location.search}${shareOf(trust)}`
  return (
    <>
      {error === undefined ? null : <Problem error={error} isLocal />}
      <Facts
        rows={[
          [
            'Begins from',
            <a key="root" href={linkTo('block', trust.height)}>
              block {numberText(trust.height)}
            </a>,
          ],
          ['Hash of this block', <code key="hash">{trust.hash}</code>],
          ['Verified headers', value === undefined ? '…' : `from ${numberText(value[0])} to ${numberText(value[1])}`],
          ['Trusting period', `${numberText(trust.days)} days`],
          [
            'Confirmed by',
            trust.witness === '' ? 'no other node: validators that lie together would not be found' : trust.witness,
          ],
          [
            'Link to this trusted header',
            <span key="link">
              <a href={shareOf(trust)}>open this form with the same header</a>{' '}
              <CopyButton text={link} label="Copy the address" />
            </span>,
          ],
        ]}
      />
    </>
  )
}

function StopButton({ text }: { readonly text: string }) {
  return (
    <button type="button" class="danger" onClick={() => void endVerification()}>
      {text}
    </button>
  )
}

function State({ now, chainId }: { readonly now: Verification; readonly chainId: string }) {
  switch (now.state) {
    case 'off':
      return (
        <Panel title="Start the light client">
          <StartForm chainId={chainId} />
        </Panel>
      )
    case 'starting':
      return (
        <Panel title="The light client starts" aside={<StopButton text="Stop" />}>
          <p class="dim" role="status">
            Verifying {now.progress === '' ? 'the trusted header' : now.progress} …
          </p>
        </Panel>
      )
    case 'failed':
      return (
        <Panel title="The light client did not start" aside={<StopButton text="Forget the trusted header" />}>
          <Problem error={now.error} isLocal />
          <p>
            If you reset this chain on purpose, or the header is too old, forget the trusted header and give a new one.
            If not, this node may be on another chain than the one that you trust: do not believe what it shows.
          </p>
          <button type="button" onClick={() => void startVerification(now.trust)}>
            Try again
          </button>
        </Panel>
      )
    case 'on':
      return (
        <Panel
          title="The light client runs in this page"
          aside={<StopButton text="Stop, and forget the trusted header" />}
        >
          <Running trust={now.trust} verifier={now.verifier} />
        </Panel>
      )
  }
}

/** Shows the light client of the page: the header that the user trusts, and the verified heights. */
export function Verify() {
  const chainId = status.value?.nodeInfo.network
  return (
    <>
      <h1>Verification</h1>
      <p class="intro">
        A light client in this page can check what the node sends. It begins from one header that you trust, and
        verifies the signatures of the validators from there on. Blocks, transactions, validators and proofs of queries
        then carry the mark <span class="mark verified">✓ verified</span>.
      </p>
      {chainId === undefined ? (
        <p class="dim">Waiting for the node …</p>
      ) : (
        <State now={verification.value} chainId={chainId} />
      )}
      <Panel title="Not proved">
        <p class="dim">
          Mempool, peers, sync state, logs and events of transactions, proposer priorities and live consensus are as the
          node sends them: no header covers them.
        </p>
      </Panel>
    </>
  )
}
