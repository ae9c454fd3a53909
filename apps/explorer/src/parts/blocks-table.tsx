import { numberText, sizeText } from '../format/numbers.ts'
import type { BlockMeta } from '../live/chain.ts'
import { linkTo } from '../route.ts'
import { Age } from './age.tsx'
import { Hash } from './hash.tsx'
import { Scroll } from './panel.tsx'
import { TableHead } from './table-head.tsx'

export function BlocksTable({ metas }: { readonly metas: readonly BlockMeta[] }) {
  if (metas.length === 0) return <p class="dim">No blocks yet.</p>
  return (
    <Scroll label="Blocks">
      <table>
        <TableHead columns={['Height', 'Age', 'Txs', 'Size', 'Proposer', 'Hash']} numbers={['Height', 'Txs', 'Size']} />
        <tbody>
          {metas.map(({ header, blockId, numTxs, blockSize }) => (
            <tr key={header.height}>
              <td class="num">
                <a data-row href={linkTo('block', header.height)}>
                  {numberText(header.height)}
                </a>
              </td>
              <td>
                <Age time={header.time} />
              </td>
              <td class={numTxs === 0 ? 'num dim' : 'num'}>{numberText(numTxs)}</td>
              <td class="num">{sizeText(blockSize)}</td>
              <td>
                <Hash bytes={header.proposerAddress} name="the address of the proposer" />
              </td>
              <td>
                <Hash bytes={blockId.hash} name={`the hash of block ${header.height}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
