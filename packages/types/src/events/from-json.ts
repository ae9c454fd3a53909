import { Event, TxResult } from '../abci/common.ts'
import { ResponseFinalizeBlock } from '../abci/response.ts'
import { Block } from '../block/wire.ts'
import { BlockId } from '../block-id/id.ts'
import { Evidence } from '../evidence/wire.ts'
import { Header } from '../header/header.ts'
import {
  type Codec,
  hexBytes,
  int32,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonError,
  NO_ITEMS,
  safeInt64,
  string,
} from '../schema/index.ts'
import { Validator } from '../validators/wire.ts'
import { Vote } from '../vote/wire.ts'
import { type EventData, type EventType, ROUND_STATE_EVENTS, type RoundStateEvent } from './event-data.ts'

function isRoundStateEvent(type: EventType): type is RoundStateEvent {
  return (ROUND_STATE_EVENTS as readonly string[]).includes(type)
}

/**
 * Reads the output of {@link eventDataToJson}. The caller passes the value of `tm.event` as `type`, because the tag in
 * the JSON is the same for several types of events. Throws {@link SchemaError}.
 */
export function eventDataFromJson(type: EventType, json: Json): EventData {
  const tag = `tendermint/event/${isRoundStateEvent(type) ? 'RoundState' : type}`
  if (!isJsonObject(json) || json.type !== tag || !isJsonObject(json.value)) throw jsonError('data', `a ${tag}`)
  return readValue(type, json.value)
}

function readValue(type: EventType, value: JsonObject): EventData {
  const read = <T>(codec: Codec<T>, key: string): T => codec.fromJson(value[key] ?? null, `value.${key}`)
  const list = <T>(codec: Codec<T>, key: string): readonly T[] => {
    const items = value[key]
    if (items === null) return NO_ITEMS
    if (!Array.isArray(items)) throw jsonError(`value.${key}`, 'an array')
    return items.map((item: Json, index) => codec.fromJson(item, `value.${key}[${index}]`))
  }
  const roundState = () => ({
    height: read(safeInt64, 'height'),
    round: read(int32, 'round'),
    step: read(string, 'step'),
  })
  switch (type) {
    case 'NewBlock':
      return {
        type,
        block: read(Block, 'block'),
        blockId: read(BlockId, 'block_id'),
        resultFinalizeBlock: read(ResponseFinalizeBlock, 'result_finalize_block'),
      }
    case 'NewBlockHeader':
      return { type, header: read(Header, 'header') }
    case 'NewBlockEvents':
      return {
        type,
        height: read(safeInt64, 'height'),
        events: list(Event, 'events'),
        numTxs: read(safeInt64, 'num_txs'),
      }
    case 'NewEvidence':
      return { type, height: read(safeInt64, 'height'), evidence: read(Evidence, 'evidence') }
    case 'Tx':
      return { type, txResult: read(TxResult, 'TxResult') }
    case 'ValidatorSetUpdates':
      return { type, validatorUpdates: list(Validator, 'validator_updates') }
    case 'Vote':
      return { type, vote: read(Vote, 'Vote') }
    case 'NewRound': {
      const proposer = value.proposer
      if (!isJsonObject(proposer ?? null)) throw jsonError('value.proposer', 'an object')
      const { address = null, index = null } = proposer as JsonObject
      const who = {
        address: hexBytes.fromJson(address, 'value.proposer.address'),
        index: int32.fromJson(index, 'value.proposer.index'),
      }
      return { type, ...roundState(), proposer: who }
    }
    case 'CompleteProposal':
      return { type, ...roundState(), blockId: read(BlockId, 'block_id') }
    default:
      return { type, ...roundState() }
  }
}
