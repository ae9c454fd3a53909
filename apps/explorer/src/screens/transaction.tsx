import type { RpcMethods } from '@org/rpc/client'
import { equalBytes } from '@org/types/bytes'
import { isProofValid, sha256 } from '@org/types/crypto'
import { brief, hexOf } from '../format/bytes.ts'
import { numberText, sizeText } from '../format/numbers.ts'
import { timeText } from '../format/times.ts'
import { hashOf } from '../format/user-input.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Code } from '../parts/code.tsx'
import { Events } from '../parts/events.tsx'
import { Hash } from '../parts/hash.tsx'
import { LongText } from '../parts/long-text.tsx'
import { Facts, Panel } from '../parts/panel.tsx'
import { Payload } from '../parts/payload.tsx'
import { Problem } from '../parts/problem.tsx'
import { Raw } from '../parts/raw.tsx'
import { VerifiedMark } from '../parts/verified-mark.tsx'
import { linkTo, route } from '../route.ts'

type Tx = Awaited<ReturnType<RpcMethods['tx']>>
type Header = NonNullable<Awaited<ReturnType<RpcMethods['header']>>['header']>

async function loadTx(client: RpcMethods, hex: string) {
  const hash = hashOf(hex)
  const tx = await client.tx({ hash, prove: true })
  const { header } = await client.header({ height: tx.height })
  return { hash, tx, header }
}

function ProofPanel({ tx, header }: { readonly tx: Tx; readonly header: Header | undefined }) {
  const { proof } = tx
  if (proof === undefined || header === undefined) return <p class="dim">The node sent no proof.</p>
  const isRooted = equalBytes(proof.rootHash, header.dataHash)
  const isValid = isRooted && isProofValid(proof.proof, header.dataHash, sha256(tx.tx))
  return (
    <>
      <p>
        {isValid ? (
          <strong class="good">✓ The proof is right</strong>
        ) : (
          <strong class="bad">✗ The proof is wrong</strong>
        )}{' '}
        <span class="dim">
          {isValid ? 'The transaction is under the data hash' : 'The transaction is not under the data hash'} that the
          node sent for block {numberText(tx.height)}.
        </span>
      </p>
      <Facts
        rows={[
          ['Data hash', <Hash key="root" bytes={proof.rootHash} name="the root of the proof" />],
          ['Leaf', <Hash key="leaf" bytes={proof.proof.leafHash} name="the hash of the leaf" />],
          ['Position', `${numberText(proof.proof.index)} of ${numberText(proof.proof.total)}`],
          [
            'Path',
            proof.proof.aunts.length === 0 ? (
              'empty: the only transaction of its block'
            ) : (
              <span class="path" key="path">
                {proof.proof.aunts.slice(0, 40).map((aunt) => (
                  <code key={hexOf(aunt)}>{hexOf(aunt).slice(0, 12)}…</code>
                ))}
              </span>
            ),
          ],
        ]}
      />
    </>
  )
}

/** Shows one transaction: bytes, result, events, proof. */
export function TransactionScreen() {
  const hex = route.value.id
  const { value: loaded, error, exchanges, isOther } = useAnswer(`tx-${hex}`, (client) => loadTx(client, hex))
  // After the address has changed to another transaction, `loaded` still has the old one until the new one is loaded.
  const value = isOther ? undefined : loaded
  const result = value?.tx.txResult
  return (
    <>
      <h1>Transaction</h1>
      {error === undefined ? null : <Problem error={error} />}
      {value === undefined || result === undefined ? (
        error === undefined && <p class="dim">Loading …</p>
      ) : (
        <>
          <Panel title="Place">
            <Facts
              rows={[
                ['Hash', <Hash key="hash" bytes={value.tx.hash} name="the hash of the transaction" isFull />],
                [
                  'Block',
                  <a key="block" href={linkTo('block', value.tx.height)}>
                    {numberText(value.tx.height)}
                  </a>,
                ],
                ['Position', numberText(value.tx.index)],
                ['Time', value.header === undefined ? '–' : timeText(value.header.time)],
                ['Size', sizeText(value.tx.tx.length)],
              ]}
            />
          </Panel>
          <Panel title="Bytes">
            <Payload key={hex} bytes={value.tx.tx} name="the transaction" />
          </Panel>
          <Panel title="Result">
            <Facts
              rows={[
                ['Code', <Code key="code" code={result.code} good="ok" bad={brief(result.codespace)} />],
                ['Gas', `${numberText(result.gasUsed)} of ${numberText(result.gasWanted)}`],
                [
                  'Log',
                  result.log === '' ? (
                    <span class="dim" key="log">
                      empty
                    </span>
                  ) : (
                    <LongText key="log" text={result.log} label="Log" />
                  ),
                ],
                [
                  'Info',
                  result.info === '' ? (
                    <span class="dim" key="info">
                      empty
                    </span>
                  ) : (
                    <LongText key="info" text={result.info} label="Info" />
                  ),
                ],
                ['Data', <Payload key="data" bytes={result.data} name="the data of the result" />],
              ]}
            />
          </Panel>
          <Panel title="Events">
            <Events events={result.events} />
          </Panel>
          <Panel
            title="Proof"
            aside={
              <VerifiedMark
                name={`tx ${hexOf(value.hash)} ${hexOf(value.tx.hash)}`}
                proves={`the bytes, the block and the position of the transaction`}
                check={(verifier) => verifier.checkTx(value.hash, value.tx)}
              />
            }
          >
            <ProofPanel tx={value.tx} header={value.header} />
          </Panel>
        </>
      )}
      <Raw exchanges={exchanges} />
    </>
  )
}
