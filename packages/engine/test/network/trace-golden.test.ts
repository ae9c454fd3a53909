import { recordingLines } from '@org/golden'
import { EvidenceList, validateEvidenceBasic } from '@org/types'
import { bytesToHex, hexToBytes } from '@org/types/bytes'
import { BlockSyncMessage, ConsensusMessage, MempoolMessage, StateSyncMessage } from '@org/types/messages'
import { PexMessage } from '@org/types/p2p'
import { describe, expect, test } from 'vitest'
import { decodeMessage, encodeBlockResponse, isBlockResponse } from '../../src/blocksync/block-message.ts'
import { messageSizeFault } from '../../src/consensus/gossip/message-size.ts'
import { heightFault, validateMessage } from '../../src/consensus/gossip/validate-message.ts'
import { openTxsMessage } from '../../src/mempool/txs-message.ts'

interface TraceLine {
  readonly kind: string
  readonly channel: number
  readonly type: string
  readonly hex: string
}

const TRACES = ['kvstore-four-node0', 'kvstore-four-node3', 'e2e-voteext-node0', 'e2e-voteext-node2']

interface Codec {
  readonly decode: (bytes: Uint8Array) => unknown
  readonly encode: (value: never) => Uint8Array
}

const CODECS: Readonly<Record<number, Codec>> = {
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

/** Throws if this node would refuse the message. */
function validate(channel: number, bytes: Uint8Array, initialHeight: number): void {
  if (channel >= 0x20 && channel <= 0x23) {
    expect(messageSizeFault(bytes)).toBe(undefined)
    const { sum } = ConsensusMessage.decode(bytes)
    if (sum === undefined) throw new Error('no message')
    validateMessage(sum)
    if (sum.case === 'newRoundStep') expect(heightFault(sum.value, initialHeight)).toBe(undefined)
  } else if (channel === 0x30) openTxsMessage(bytes, { maxTxBytes: 1_048_576, maxBatchBytes: 0 })
  else if (channel === 0x38) for (const evidence of EvidenceList.decode(bytes).evidence) validateEvidenceBasic(evidence)
  else if (channel === 0x40 && isBlockResponse(bytes)) expect(decodeMessage(bytes, 500_000).items).toBeGreaterThan(0)
}

describe.each(TRACES)('%s', (name) => {
  const lines = recordingLines<TraceLine>(`p2p-trace/${name}.jsonl`).filter(({ kind }) => kind === 'message')
  const initialHeight = name.startsWith('e2e') ? 1000 : 1

  test('golden: every message decodes, is valid, and encodes to the same bytes', () => {
    expect(lines.length).toBeGreaterThan(100)
    for (const { channel, hex } of lines) {
      const bytes = hexToBytes(hex) as Uint8Array
      const codec = CODECS[channel] as Codec
      expect(bytesToHex(codec.encode(codec.decode(bytes) as never)).toLowerCase()).toBe(hex)
      validate(channel, bytes, initialHeight)
    }
  })

  test('golden: a block is served with the bytes of the reference', () => {
    for (const { type, hex } of lines.filter((line) => line.type === 'BlockResponse')) {
      const { sum } = BlockSyncMessage.decode(hexToBytes(hex) as Uint8Array)
      if (sum?.case !== 'blockResponse' || sum.value.block === undefined) throw new Error(`${type} without a block`)
      // The test takes the bytes of the block and of the extended commit out of the recorded response. Then it encodes
      // a response with these bytes, which must be equal to the recorded response.
      const { block, extCommit } = partsOf(hexToBytes(hex) as Uint8Array)
      expect(bytesToHex(encodeBlockResponse([block.subarray(0, 7), block.subarray(7)], extCommit)).toLowerCase()).toBe(
        hex,
      )
    }
  })
})

/**
 * Returns the bytes of the block and of the extended commit in a message. Field 3 of the message contains the response,
 * whose field 1 is the block and whose field 2 is the extended commit.
 */
function partsOf(message: Uint8Array): { readonly block: Uint8Array; readonly extCommit: Uint8Array | undefined } {
  const fields = (bytes: Uint8Array): Map<number, Uint8Array> => {
    const found = new Map<number, Uint8Array>()
    for (let at = 0; at < bytes.length; ) {
      const field = (bytes[at++] as number) >>> 3
      let length = 0
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++] as number
        length += (byte & 0x7f) * 2 ** shift
        if (byte < 0x80) break
      }
      found.set(field, bytes.subarray(at, at + length))
      at += length
    }
    return found
  }
  const response = fields(fields(message).get(3) as Uint8Array)
  return { block: response.get(1) as Uint8Array, extCommit: response.get(2) }
}
