import { Event, TxResult } from '../abci/common.ts'
import { ResponseFinalizeBlock } from '../abci/response.ts'
import { Block } from '../block/wire.ts'
import { BlockId } from '../block-id/id.ts'
import { bytesToHex } from '../bytes/index.ts'
import { Evidence } from '../evidence/wire.ts'
import { Header } from '../header/header.ts'
import { type Json, NO_ITEMS } from '../schema/index.ts'
import { Validator } from '../validators/wire.ts'
import { Vote } from '../vote/wire.ts'

/**
 * The events that report only the height, round and step of consensus. In their data, `step` is a name such as
 * `RoundStepPrevote`.
 */
export const ROUND_STATE_EVENTS = [
  'Lock',
  'NewRoundStep',
  'Polka',
  'Relock',
  'TimeoutPropose',
  'TimeoutWait',
  'Unlock',
  'ValidBlock',
] as const

/**
 * The name of an event that reports only the height, round and step of consensus: one of {@link ROUND_STATE_EVENTS}.
 */
export type RoundStateEvent = (typeof ROUND_STATE_EVENTS)[number]

interface RoundState {
  readonly height: number
  readonly round: number
  readonly step: string
}

/** An event that a node publishes to its subscribers; `type` is the value of `tm.event`. */
export type EventData =
  | {
      readonly type: 'NewBlock'
      readonly block: Block
      readonly blockId: BlockId
      readonly resultFinalizeBlock: ResponseFinalizeBlock
    }
  | { readonly type: 'NewBlockHeader'; readonly header: Header }
  | {
      readonly type: 'NewBlockEvents'
      readonly height: number
      readonly events: readonly Event[]
      readonly numTxs: number
    }
  | { readonly type: 'NewEvidence'; readonly height: number; readonly evidence: Evidence }
  | { readonly type: 'Tx'; readonly txResult: TxResult }
  | { readonly type: 'ValidatorSetUpdates'; readonly validatorUpdates: readonly Validator[] }
  | { readonly type: 'Vote'; readonly vote: Vote }
  | ({
      readonly type: 'NewRound'
      readonly proposer: { readonly address: Uint8Array; readonly index: number }
    } & RoundState)
  | ({ readonly type: 'CompleteProposal'; readonly blockId: BlockId } & RoundState)
  | ({ readonly type: RoundStateEvent } & RoundState)

/** The name of an event, which is the value of `tm.event` in a query, such as `NewBlock`. */
export type EventType = EventData['type']

function roundStateToJson({ height, round, step }: RoundState) {
  return { height: String(height), round, step }
}

/** Returns the data in the form of the RPC's event messages: `{ "type": "tendermint/event/…", "value": … }`. */
export function eventDataToJson(event: EventData): Json {
  const tagged = (value: Json, name: string = event.type): Json => ({ type: `tendermint/event/${name}`, value })
  switch (event.type) {
    case 'NewBlock':
      return tagged({
        block: Block.toJson(event.block),
        block_id: BlockId.toJson(event.blockId),
        result_finalize_block: ResponseFinalizeBlock.toJson(event.resultFinalizeBlock),
      })
    case 'NewBlockHeader':
      return tagged({ header: Header.toJson(event.header) })
    case 'NewBlockEvents':
      return tagged({
        height: String(event.height),
        // If the application sends no events, the list is `NO_ITEMS`, which means a nil slice in Go. The reference
        // writes a nil slice as `null`.
        events: event.events === NO_ITEMS ? null : event.events.map(Event.toJson),
        num_txs: String(event.numTxs),
      })
    case 'NewEvidence':
      return tagged({ height: String(event.height), evidence: Evidence.toJson(event.evidence) })
    case 'Tx':
      return tagged({ TxResult: TxResult.toJson(event.txResult) })
    case 'ValidatorSetUpdates':
      return tagged({ validator_updates: event.validatorUpdates.map(Validator.toJson) })
    case 'Vote':
      return tagged({ Vote: Vote.toJson(event.vote) })
    case 'NewRound':
      return tagged({
        ...roundStateToJson(event),
        proposer: { address: bytesToHex(event.proposer.address), index: event.proposer.index },
      })
    case 'CompleteProposal':
      return tagged({ ...roundStateToJson(event), block_id: BlockId.toJson(event.blockId) })
    default:
      return tagged(roundStateToJson(event), 'RoundState')
  }
}
