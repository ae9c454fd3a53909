import type { EventBus } from '@org/engine/events'
import { utf8ToBytes } from '@org/types/bytes'
import { expect, test } from 'vitest'
import { writeBlocks } from './devnet-log.ts'

/** Returns the lines of a block with one transaction, which failed with this log. */
function linesOf(log: string): string {
  let lines = ''
  const block = { header: { height: 7 }, data: { txs: [utf8ToBytes('a=b')] } }
  const data = { type: 'NewBlock', block, resultFinalizeBlock: { txResults: [{ code: 3, log }] } }
  const subscribe = ({ onItem }: { readonly onItem: (item: object) => void }): void => onItem({ data })
  writeBlocks({ subscribe } as unknown as EventBus, (text) => {
    lines += text
  })
  return lines
}

test('default: a block and its failed transaction have a line each', () => {
  expect(linesOf('no key')).toMatch(
    /^block 7: 1 transaction\n {2}tx [0-9A-F]{64} failed with code 3 \("no key"\) "a=b"\n$/,
  )
})

test('error: control characters in the log of an application do not reach the terminal', () => {
  expect(linesOf('\u009b31m\u007f\u001b[2J')).toContain('("\\u009b31m\\u007f\\u001b[2J")')
  expect(linesOf('\u202eko\u2066')).toContain('("\\u202eko\\u2066")')
})
