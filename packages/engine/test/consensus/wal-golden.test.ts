import { recording, recordingLines } from '@org/golden'
import { TimedWalMessage } from '@org/types/messages'
import { describe, expect, it } from 'vitest'
import { encodeFrame, readFrame } from '../../src/consensus/wal/index.ts'

interface Line {
  readonly offset: number
  readonly crc: string
  readonly length: number
  readonly time: string
  readonly type: string
  readonly msg: unknown
}

describe('the recorded WAL', () => {
  const bytes = recording('wal/wal')
  const lines = recordingLines<Line>('wal/wal.jsonl')

  it('default: decodes to the recorded listing and encodes to the same bytes', () => {
    let offset = 0
    for (const line of lines) {
      const read = readFrame(bytes, offset)
      if (read.kind !== 'frame') throw new Error(`no frame at ${offset}: ${read.kind}`)
      expect([read.offset, read.data.length]).toEqual([line.offset, line.length])
      const message = TimedWalMessage.decode(read.data)
      const json = TimedWalMessage.toJson(message)
      expect(json.time).toBe(line.time)
      expect(json.msg).toEqual({ type: line.type, value: line.msg })
      expect(encodeFrame(TimedWalMessage.encode(message))).toEqual(bytes.slice(offset, read.next))
      offset = read.next
    }
    expect(offset).toBe(bytes.length)
  })
})
