import { recordingLines, recordingText, STORE_DUMPS } from '@org/golden'
import {
  AbciResponsesInfo,
  Block,
  BlockMeta,
  BlockStoreState,
  Commit,
  ConsensusParamsInfo,
  ExtendedCommit,
  Part,
  State,
  ValidatorsInfo,
} from '@org/types'
import { ResponseFinalizeBlock, TxResult } from '@org/types/abci'
import { bytesToHex, concatBytes, hexToBytes } from '@org/types/bytes'
import { type MessageSchema, stringifyJson } from '@org/types/schema'
import { describe, expect, test } from 'vitest'

interface Pair {
  readonly db: string
  readonly key: string
  readonly value: string
}

const unhex = (text: string): Uint8Array => hexToBytes(text) as Uint8Array
const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

const SCHEMAS: readonly (readonly [db: string, key: RegExp, schema: MessageSchema<unknown>])[] = [
  ['blockstore', /^blockStore$/, BlockStoreState],
  ['blockstore', /^H:\d+$/, BlockMeta],
  ['blockstore', /^P:\d+:\d+$/, Part],
  ['blockstore', /^S?C:\d+$/, Commit],
  ['blockstore', /^EC:\d+$/, ExtendedCommit],
  ['state', /^stateKey$/, State],
  ['state', /^validatorsKey:\d+$/, ValidatorsInfo],
  ['state', /^consensusParamsKey:\d+$/, ConsensusParamsInfo],
  ['state', /^abciResponsesKey:\d+$/, ResponseFinalizeBlock],
  ['state', /^lastABCIResponseKey$/, AbciResponsesInfo],
]

function blocksOf(pairs: readonly Pair[]): Map<number, Block> {
  const parts = new Map<number, Uint8Array[]>()
  for (const { db, key, value } of pairs) {
    const match = db === 'blockstore' ? /^P:(\d+):(\d+)$/.exec(latin1(unhex(key))) : null
    if (match === null) continue
    const height = Number(match[1])
    const list = parts.get(height) ?? []
    list[Number(match[2])] = Part.decode(unhex(value)).bytes
    parts.set(height, list)
  }
  return new Map([...parts].map(([height, list]) => [height, Block.decode(concatBytes(...list))]))
}

describe.each(STORE_DUMPS)('%s', (dump) => {
  const pairs = recordingLines<Pair>(dump)

  test('default: stored values decode and encode to the same bytes', () => {
    const seen = new Map<string, number>()
    for (const { db, key, value } of pairs) {
      const name = latin1(unhex(key))
      const schema =
        db === 'tx_index' && key.length === 64 && !/^(tx|app|block_events|rewards|transfer)[./]/.test(name)
          ? TxResult
          : SCHEMAS.find(([of, pattern]) => of === db && pattern.test(name))?.[2]
      if (schema === undefined) continue
      expect(bytesToHex(schema.encode(schema.decode(unhex(value)) as never)), `${db} ${name}`).toBe(value.toUpperCase())
      seen.set(schema.typeName, (seen.get(schema.typeName) ?? 0) + 1)
    }
    expect(seen.size).toBeGreaterThanOrEqual(9)
    expect([...seen.values()].reduce((a, b) => a + b)).toBeGreaterThan(80)
  })

  test('default: JSON of every stored message reads back to the same bytes', () => {
    for (const { db, key, value } of pairs) {
      const name = latin1(unhex(key))
      const schema = SCHEMAS.find(([of, pattern]) => of === db && pattern.test(name))?.[2]
      if (schema === undefined) continue
      const text = stringifyJson(schema.toJson(schema.decode(unhex(value))))
      // JSON has `\ufffd` in place of bytes that are not UTF-8. The stored bytes of such an entry cannot be made from
      // its JSON, so the entry is skipped.
      if (text.includes('\\ufffd')) continue
      const json = JSON.parse(text)
      expect(bytesToHex(schema.encode(schema.fromJson(json))), `${db} ${name}`).toBe(value.toUpperCase())
    }
  })

  test('default: stored blocks encode to the bytes of their parts', () => {
    const blocks = blocksOf(pairs)
    expect(blocks.size).toBeGreaterThan(10)
    for (const [height, block] of blocks) {
      expect(block.header.height).toBe(height)
      expect(Block.encode(Block.decode(Block.encode(block)))).toEqual(Block.encode(block))
    }
  })
})

test.each([
  ['kvstore-single/db-dump.jsonl', 'kvstore-single/answers.jsonl'],
  ['kvstore-four/db-dump-node0.jsonl', 'kvstore-four/answers.jsonl'],
  ['e2e-voteext/db-dump-node0.jsonl', 'e2e-voteext/answers.jsonl'],
])('default: the recorded answers contain the JSON of the blocks of %s', (dump, answers) => {
  const blocks = blocksOf(recordingLines<Pair>(dump))
  let found = 0
  for (const line of recordingText(answers).split('\n')) {
    if (line === '') continue
    const { response } = JSON.parse(line) as { response: { body?: unknown } }
    if (typeof response.body !== 'string' || !response.body.includes('"result":{"block_id":')) continue
    const height = Number(/"header":\{"version":\{[^}]*\},"chain_id":"[^"]*","height":"(\d+)"/.exec(response.body)?.[1])
    const block = blocks.get(height)
    if (block === undefined) continue
    expect(response.body).toContain(`"block":${stringifyJson(Block.toJson(block))}`)
    found += 1
  }
  expect(found).toBeGreaterThan(5)
})
