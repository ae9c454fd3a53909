import { recordingLines } from '@org/golden'
import { Event, ResponseFinalizeBlock, TxResult } from '@org/types/abci'
import { Block, BlockId, Header } from '@org/types/block'
import { hexToBytes } from '@org/types/bytes'
import { type EventData, type EventType, eventDataToJson, type RoundStateEvent } from '@org/types/events'
import { Evidence } from '@org/types/evidence'
import { type Json, type JsonObject, NO_ITEMS, stringifyJson } from '@org/types/schema'
import { Validator } from '@org/types/validators'
import { Vote } from '@org/types/vote'
import { describe, expect, test } from 'vitest'

interface Result {
  readonly data: { readonly type: string; readonly value: JsonObject }
  readonly events: Readonly<Record<string, readonly string[]>>
}

const items = (json: Json | undefined): readonly Json[] => json as readonly Json[]

function readEvent(type: EventType, value: JsonObject): EventData {
  const member = (key: string): Json => value[key] as Json
  const state = { height: Number(value.height), round: value.round as number, step: value.step as string }
  switch (type) {
    case 'NewBlock':
      return {
        type,
        block: Block.fromJson(member('block')),
        blockId: BlockId.fromJson(member('block_id')),
        resultFinalizeBlock: ResponseFinalizeBlock.fromJson(member('result_finalize_block')),
      }
    case 'NewBlockHeader':
      return { type, header: Header.fromJson(member('header')) }
    case 'NewBlockEvents':
      return {
        type,
        height: state.height,
        events: value.events === null ? NO_ITEMS : items(value.events).map((json) => Event.fromJson(json)),
        numTxs: Number(value.num_txs),
      }
    case 'NewEvidence':
      return { type, height: state.height, evidence: Evidence.fromJson(member('evidence')) }
    case 'Tx':
      return { type, txResult: TxResult.fromJson(member('TxResult')) }
    case 'ValidatorSetUpdates':
      return { type, validatorUpdates: items(value.validator_updates).map((json) => Validator.fromJson(json)) }
    case 'Vote':
      return { type, vote: Vote.fromJson(member('Vote')) }
    case 'NewRound': {
      const proposer = value.proposer as { address: string; index: number }
      return {
        type,
        ...state,
        proposer: { address: hexToBytes(proposer.address) as Uint8Array, index: proposer.index },
      }
    }
    case 'CompleteProposal':
      return { type, ...state, blockId: BlockId.fromJson(member('block_id')) }
    default:
      return { type: type as RoundStateEvent, ...state }
  }
}

describe.each(['kvstore-single', 'kvstore-four', 'e2e-voteext'])('%s', (scenario) => {
  test('default: the data of every event message reads and writes to the same text', () => {
    const seen = new Set<string>()
    for (const { frame } of recordingLines<{ frame: string }>(`${scenario}/events.jsonl`)) {
      const { result } = JSON.parse(frame) as { result?: Result }
      if (result?.data === undefined || frame.includes('\\ufffd')) continue
      const type = result.events['tm.event']?.[0] as EventType
      const json = eventDataToJson(readEvent(type, result.data.value))
      expect(stringifyJson(json)).toBe(stringifyJson(result.data as unknown as Json))
      expect(frame).toContain(`"data":${stringifyJson(json)}`)
      seen.add(type)
    }
    expect(seen.size).toBeGreaterThanOrEqual(12)
  })
})
