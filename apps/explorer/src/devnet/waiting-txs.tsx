import { sha256 } from '@org/types/crypto'
import { brief, hexOf, textOf } from '../format/bytes.ts'
import { numberText, sizeText } from '../format/numbers.ts'
import { nowMs } from '../live/clock.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Panel, Scroll } from '../parts/panel.tsx'
import { Raw } from '../parts/raw.tsx'
import { TableHead } from '../parts/table-head.tsx'
import type { DevnetActionProps } from './devnet-action.ts'
import { info } from './info.ts'

/** The maximum number of transactions in each of the two lists: waiting, and held out of blocks by the user. */
const MOST = 30
const REFRESH_MS = 1000
/** The maximum number of characters of a transaction that are shown. */
const MAX_TEXT = 40

interface RowProps extends DevnetActionProps {
  readonly hash: string
  readonly text: string
  readonly size: number
  readonly isHeld: boolean
}

function Row({ act, hash, text, size, isHeld }: RowProps) {
  const name = hash.slice(0, 8)
  return (
    <tr>
      <td>
        <code title={hash}>{name}</code>
      </td>
      <td>{text}</td>
      <td class="num">{sizeText(size)}</td>
      <td>{isHeld ? 'held' : 'waits'}</td>
      <td>
        <div class="choices tight">
          <button
            type="button"
            onClick={() =>
              act(isHeld ? 'Released' : 'Held', async (devnet) => {
                await devnet.holdTx(hash, !isHeld)
                return `${name} ${isHeld ? 'waits for a block again' : 'is kept out of blocks'}`
              })
            }
          >
            {isHeld ? 'Release' : 'Hold'}
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => act('Dropped', async (devnet) => devnet.dropTx(hash).then(() => name))}
          >
            Drop
          </button>
        </div>
      </td>
    </tr>
  )
}

/** Returns the first bytes of a transaction as text if they are text, otherwise as hex. */
const headText = (tx: Uint8Array): string =>
  brief(textOf(tx.subarray(0, MAX_TEXT)) ?? hexOf(tx.subarray(0, MAX_TEXT)), MAX_TEXT)

const HEAD = ['Hash', 'Transaction', 'Size', 'State', 'Change'] as const

/** Lists the transactions that wait for a block, and the transactions that the user holds back. */
export function WaitingTxs({ act }: DevnetActionProps) {
  const { value, exchanges } = useAnswer(
    'waiting',
    (client) => client.unconfirmedTxs({ limit: MOST }),
    Math.floor(nowMs.value / REFRESH_MS) + (info.value?.heldTxs.length ?? 0),
  )
  const held = info.value?.heldTxs ?? []
  const rows = [
    ...(value?.txs ?? []).slice(0, MOST).map((tx) => ({
      ...{ hash: hexOf(sha256(tx)), size: tx.length, isHeld: false },
      text: headText(tx),
    })),
    ...held.slice(0, MOST).map(({ hash, size, head }) => ({ hash, size, isHeld: true, text: headText(head) })),
  ]
  const hiddenCount = (value?.total ?? 0) + held.length - rows.length
  return (
    <Panel title="Transactions that wait">
      {rows.length === 0 ? (
        <p class="dim">
          No transaction waits. Switch off “A block for each transaction”: then transactions wait here until you mine a
          block.
        </p>
      ) : (
        <Scroll label="Transactions that wait for a block">
          <table class="stacked">
            <TableHead columns={HEAD} numbers={['Size']} />
            <tbody>
              {rows.map((row) => (
                <Row key={`${row.hash}-${row.isHeld}`} act={act} {...row} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {hiddenCount > 0 ? <p class="dim">and {numberText(hiddenCount)} more</p> : null}
      <Raw exchanges={exchanges} />
    </Panel>
  )
}
