import { recording, recordingLines } from '@org/golden'
import { EvidenceList } from '@org/types'
import { Request, Response } from '@org/types/abci'
import { bytesToHex, hexToBytes } from '@org/types/bytes'
import {
  BlockSyncMessage,
  ConsensusMessage,
  MempoolMessage,
  SignerMessage as PrivvalMessage,
  StateSyncMessage,
  TimedWalMessage,
} from '@org/types/messages'
import { AuthSigMessage, DefaultNodeInfo, PexMessage } from '@org/types/p2p'
import { isJsonObject, type Json, type MessageSchema, stringifyJson } from '@org/types/schema'
import { formatTime } from '@org/types/time'
import { describe, expect, test } from 'vitest'

type AnySchema = MessageSchema<unknown>

const unhex = (text: string): Uint8Array => hexToBytes(text) as Uint8Array

function expectSameBytes(schema: AnySchema, bytes: Uint8Array, what: string): void {
  const value = schema.decode(bytes)
  expect(bytesToHex(schema.encode(value)), what).toBe(bytesToHex(bytes))
  const again = schema.fromJson(JSON.parse(stringifyJson(schema.toJson(value))))
  expect(bytesToHex(schema.encode(again)), `${what} through JSON`).toBe(bytesToHex(bytes))
}

const CHANNELS: Readonly<Record<number, AnySchema>> = {
  0: PexMessage,
  32: ConsensusMessage,
  33: ConsensusMessage,
  34: ConsensusMessage,
  35: ConsensusMessage,
  48: MempoolMessage,
  56: EvidenceList,
  64: BlockSyncMessage,
  96: StateSyncMessage,
  97: StateSyncMessage,
}

test.each(['kvstore-four-node0', 'kvstore-four-node3', 'e2e-voteext-node0', 'e2e-voteext-node2'])(
  'default: peer messages of %s decode and encode to the same bytes',
  (name) => {
    interface Line {
      readonly kind: string
      readonly type?: string
      readonly channel?: number
      readonly hex: string
    }
    const seen = new Set<string>()
    for (const { kind, type = '', channel = -1, hex } of recordingLines<Line>(`p2p-trace/${name}.jsonl`)) {
      if (kind === 'handshake') {
        expectSameBytes(type === 'NodeInfo' ? DefaultNodeInfo : AuthSigMessage, unhex(hex), type)
      } else if (kind === 'message') {
        expectSameBytes(CHANNELS[channel] as AnySchema, unhex(hex), type)
      } else continue
      seen.add(type)
    }
    expect(seen.size).toBeGreaterThanOrEqual(12)
  },
)

test('default: records of the write-ahead log decode and encode to the same bytes and JSON', () => {
  interface Line {
    readonly offset: number
    readonly length: number
    readonly time: string
    readonly type: string
    readonly msg: Json
  }
  const log = recording('wal/wal')
  const seen = new Set<string>()
  for (const { offset, length, time, type, msg } of recordingLines<Line>('wal/wal.jsonl')) {
    const bytes = log.subarray(offset + 8, offset + 8 + length)
    expectSameBytes(TimedWalMessage, bytes, type)
    const value = TimedWalMessage.decode(bytes)
    expect(formatTime(value.time)).toBe(time)
    const json = TimedWalMessage.toJson(value).msg
    expect(stringifyJson(json as Json)).toBe(stringifyJson({ type, value: msg }))
    seen.add(type)
  }
  expect(seen.size).toBe(4)
})

interface TraceLine {
  readonly conn: number
  readonly dir: 'request' | 'response'
  readonly from: 'signer' | 'node'
  readonly offset: number
  readonly prefix: number
  readonly length: number
  readonly type: string
}

describe.each([
  'abci-trace/1-first-start',
  'abci-trace/2-node-and-app-restart',
  'abci-trace/3-app-lost-its-state',
  'e2e-voteext/abci-node0',
  'e2e-voteext/abci-node2-statesync',
])('%s', (trace) => {
  test('default: application messages decode and encode to the same bytes', () => {
    const files = new Map<string, Uint8Array>()
    const seen = new Set<string>()
    for (const { conn, dir, offset, prefix, length, type } of recordingLines<TraceLine>(`${trace}/messages.jsonl`)) {
      const file = `${trace}/conn${conn}.${dir}.bin`
      const all = files.get(file) ?? recording(file)
      files.set(file, all)
      const schema = dir === 'request' ? Request : Response
      const bytes = all.subarray(offset + prefix, offset + prefix + length)
      expectSameBytes(schema as AnySchema, bytes, `${dir} ${type}`)
      const framed = (schema as AnySchema).encodeDelimited(schema.decode(bytes))
      expect(bytesToHex(framed)).toBe(bytesToHex(all.subarray(offset, offset + prefix + length)))
      seen.add(`${dir} ${type}`)
    }
    expect(seen.size).toBeGreaterThan(10)
  })
})

test.each(['1-ten-heights', '2-signer-refuses-regression', '3-wrong-chain-id'])(
  'default: remote signer messages of %s decode and encode to the same bytes',
  (trace) => {
    const lines = recordingLines<TraceLine>(`privval-trace/${trace}/messages.jsonl`)
    expect(lines.length).toBeGreaterThan(0)
    for (const { conn, from, offset, prefix, length, type } of lines) {
      const all = recording(`privval-trace/${trace}/conn${conn}.${from}.bin`)
      const bytes = all.subarray(offset + prefix, offset + prefix + length)
      expectSameBytes(PrivvalMessage as AnySchema, bytes, type)
      const { sum } = PrivvalMessage.decode(bytes)
      expect(sum?.case.toLowerCase()).toBe(type.toLowerCase())
      expect(isJsonObject(PrivvalMessage.toJson({ sum }))).toBe(true)
    }
  },
)
