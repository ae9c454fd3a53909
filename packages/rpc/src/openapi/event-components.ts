import { int64, listOf, maybe, record, ref } from '../call/json-schema.ts'
import type { JsonSchema } from '../call/params.ts'

const listOrNull = (items: JsonSchema): JsonSchema => maybe(listOf(items))

/** The `data` of an event: its type, and the members of its value. */
const event = (type: string, value: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  record({ type: { type: 'string', const: `tendermint/event/${type}` }, value: record(value) })

const validatorUpdates = listOrNull(ref('ValidatorUpdate'))
const blockEvents = listOrNull(ref('Event'))

const transaction = event('Tx', { TxResult: ref('TxResult') })
const events = event('NewBlockEvents', { height: int64, events: blockEvents, num_txs: int64 })
const evidence = event('NewEvidence', { height: int64, evidence: maybe(ref('Evidence')) })

/**
 * The schemas of the member `data` of events, in both profiles. The schemas cover the types of events that the node
 * stores, because a subscription can be resumed only with stored events.
 */
export const EVENT_COMPONENTS: Readonly<Record<string, JsonSchema>> = {
  EventData: {
    oneOf: [
      event('NewBlock', {
        block: maybe(ref('Block')),
        block_id: ref('BlockId'),
        result_finalize_block: ref('ResponseFinalizeBlock'),
      }),
      event('NewBlockHeader', { header: ref('Header') }),
      events,
      evidence,
      transaction,
      event('ValidatorSetUpdates', { validator_updates: listOrNull(ref('Validator')) }),
    ],
  },
  EventDataText: {
    description: 'The data of an event in the profile `openapi`.',
    oneOf: [
      event('NewBlock', {
        block: maybe(ref('BlockContent')),
        result_begin_block: record({ events: blockEvents }),
        result_end_block: record({
          validator_updates: validatorUpdates,
          consensus_param_updates: maybe(ref('ConsensusParamsUpdate')),
        }),
      }),
      event('NewBlockHeader', { header: ref('BlockHeader') }),
      events,
      evidence,
      transaction,
      event('ValidatorSetUpdates', { validator_updates: listOrNull({ type: 'object' }) }),
    ],
  },
}
