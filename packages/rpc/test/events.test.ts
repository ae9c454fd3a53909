import { recordingLines } from '@org/golden'
import { type EventData, Validator } from '@org/types'
import { describe, expect, test } from 'vitest'
import type { Ports } from '../src/index.ts'
import { referenceProfile } from '../src/profiles/index.ts'
import { createEventFrames } from '../src/subscriptions/event-frame.ts'
import { createDumpPorts } from './dump-ports.ts'

interface RecordedFrame {
  readonly seq: number
  readonly frame: string
}

interface EventMessage {
  readonly id: number
  readonly result: {
    readonly query?: string
    readonly data?: { readonly type: string; readonly value: Readonly<Record<string, unknown>> }
    readonly events?: Readonly<Record<string, readonly string[]>>
  }
}

type Value = { readonly [key: string]: never }

/** The event of a recorded message, rebuilt from the stored block and the application's answer. */
function rebuild(message: EventMessage, { blocks, state }: Ports): EventData | undefined {
  const value = message.result.data?.value as unknown as Value
  const heightOf = (json: { readonly height: string }): number => Number(json.height)
  const block = (height: number) => blocks.loadBlock(height) as NonNullable<ReturnType<typeof blocks.loadBlock>>
  switch (message.result.data?.type) {
    case 'tendermint/event/NewBlock': {
      const height = heightOf((value.block as unknown as { header: { height: string } }).header)
      const response = state.loadFinalizeBlockResponse(height)
      return {
        type: 'NewBlock',
        block: block(height),
        blockId: blocks.loadBlockMeta(height)?.blockId as never,
        // The application of the recording returned an empty list of validator updates. So the recorded message
        // contains an empty list. For an empty list, the store returns the object `NO_ITEMS`, which would be written as
        // `null`. A copy of this object is written as an empty list, so the event contains a copy.
        resultFinalizeBlock: { ...response, validatorUpdates: [...response.validatorUpdates] },
      }
    }
    case 'tendermint/event/NewBlockHeader':
      return { type: 'NewBlockHeader', header: block(heightOf(value.header as never)).header }
    case 'tendermint/event/NewBlockEvents': {
      const height = heightOf(value as never)
      return {
        type: 'NewBlockEvents',
        height,
        events: state.loadFinalizeBlockResponse(height).events,
        numTxs: block(height).data.txs.length,
      }
    }
    case 'tendermint/event/Tx': {
      const { height, index = 0 } = value.TxResult as unknown as { height: string; index?: number }
      const result = state.loadFinalizeBlockResponse(Number(height)).txResults[index]
      return {
        type: 'Tx',
        txResult: {
          height: Number(height),
          index,
          tx: block(Number(height)).data.txs[index] as never,
          result: result as never,
        },
      }
    }
    case 'tendermint/event/ValidatorSetUpdates':
      return {
        type: 'ValidatorSetUpdates',
        validatorUpdates: (value.validator_updates as unknown as never[]).map((json) => Validator.fromJson(json)),
      }
    default:
      return undefined
  }
}

/** Returns the text of a WebSocket frame that has no mask. */
function textOfFrame(frame: Buffer): string {
  const short = (frame[1] as number) & 0x7f
  const head = short < 126 ? 2 : short === 126 ? 4 : 10
  const length = head === 2 ? short : head === 4 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2))
  expect([frame[0], length]).toEqual([0x81, frame.length - head])
  return frame.toString('utf8', head)
}

describe('event messages', () => {
  test('default: messages that are rebuilt from the stores equal the recorded messages', () => {
    const ports = createDumpPorts('kvstore-single', { indexing: true })
    const frames = createEventFrames(referenceProfile, ports)
    const counts = new Map<string, number>()
    for (const { frame } of recordingLines<RecordedFrame>('kvstore-single/events.jsonl')) {
      // In recorded JSON, the escape `\ufffd` represents a byte that was not UTF-8. The code under test keeps such a
      // byte as a lone surrogate, so the escape is replaced by a lone surrogate.
      const message = JSON.parse(frame.replaceAll('\\ufffd', '\\udc80')) as EventMessage
      const { data, query, events } = message.result
      const rebuilt = data === undefined ? undefined : rebuild(message, ports)
      if (rebuilt === undefined || data === undefined || query === undefined || events === undefined) continue
      const { head, body } = frames.frame({ data: rebuilt, events }, frames.before(String(message.id), query))
      const text = textOfFrame(Buffer.concat([head, body]))
      // The texts are compared before `expect`, because `expect` takes long to report a difference between long texts.
      if (text !== frame) expect(text).toBe(frame)
      counts.set(data.type, (counts.get(data.type) ?? 0) + 1)
    }
    expect(counts.size).toBe(5)
    expect(counts.get('tendermint/event/Tx')).toBeGreaterThan(100)
  })
})
