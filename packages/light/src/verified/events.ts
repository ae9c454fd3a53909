import { heightOf as heightOfEvent, type RpcClient, type RpcEvent, type SubscribeOptions } from '@org/rpc/client'
import { Block, BlockId, equalBlockIds, Header, hashTx } from '@org/types'
import { base64ToBytes, bytesToHex, equalBytes } from '@org/types/bytes'
import type { Json, JsonObject } from '@org/types/schema'
import type { LightBlock } from '../block/light-block.ts'
import { check, checkNumber, heightOfAnswer, wrongAnswer } from './answer.ts'
import { checkBlock, checkHeader, type VerifiedBlocks } from './blocks.ts'
import type { Headers } from './headers.ts'

/** The part of an event that is verified. */
export type EventCover =
  /** The whole block is verified. The application's response to the block is not verified. */
  | 'block'
  | 'header'
  /** The transaction is in the block. Its result is not verified. */
  | 'tx'
  /** Only the height of the event is verified: the chain has a block at this height. */
  | 'height'
  /** Nothing is verified, because the event is not about a committed block. */
  | 'nothing'

/** An event that a node sent. The member `verified` says which part of the event is verified. */
export interface VerifiedEvent extends RpcEvent {
  readonly verified: EventCover
}

const METHOD = 'subscribe'
const PREFIX = 'tendermint/event/'

/** The types of the events about committed blocks. */
const COMMITTED: ReadonlySet<string> = new Set(
  ['NewBlock', 'NewBlockHeader', 'NewBlockEvents', 'NewEvidence', 'Tx'].map((type) => PREFIX + type),
)

interface EventModules {
  readonly client: RpcClient
  readonly headers: Headers
  readonly blocks: Pick<VerifiedBlocks, 'block'>
}

/**
 * Returns `blocks` with a cache for the last verified block. The events of the transactions of one block come one after
 * the other, and all of them are compared with this block. So the block is verified only once.
 */
function keepingLast(blocks: EventModules['blocks']): EventModules['blocks'] {
  let last: { readonly height: unknown; readonly answer: Awaited<ReturnType<typeof blocks.block>> } | undefined
  return {
    block: async (args = {}, options = {}) => {
      if (last !== undefined && last.height === args.height) return last.answer
      const answer = await blocks.block(args, options)
      last = { height: args.height, answer }
      return answer
    },
  }
}

const memberOf = (value: Json, name: string): Json => (value as JsonObject | undefined)?.[name] ?? null

/**
 * Checks an attribute that the node itself adds to an event, because queries select events by this attribute. The event
 * is also refused if the application added another value to the same attribute, because nothing shows which value comes
 * from the node.
 */
function checkAttribute({ events }: RpcEvent, key: string, expected: string): void {
  const values = events[key] ?? []
  if (values.length > 0 && values.every((value) => value === expected)) return
  throw wrongAnswer(METHOD, `the attribute ${key} is ${JSON.stringify(values).slice(0, 200)}, not ${expected}`)
}

interface Seen {
  readonly event: RpcEvent
  readonly height: number
  readonly trusted: LightBlock
}

/** Checks that the verified block has the transaction of an event, at the index that the event gives. */
async function verifyTx(
  { blocks }: EventModules,
  { event, height }: Seen,
  signal: AbortSignal | undefined,
): Promise<EventCover> {
  const result = memberOf(event.data.value, 'TxResult')
  // The conversions to a number and to a text throw a `TypeError` for some objects.
  const { given, index, claimed } = check(METHOD, () => ({
    given: Number(memberOf(result, 'height')),
    index: Number(memberOf(result, 'index') ?? 0),
    claimed: base64ToBytes(String(memberOf(result, 'tx') ?? '')),
  }))
  checkNumber(METHOD, 'height', [given, height])
  const { block } = await blocks.block({ height }, signal === undefined ? {} : { signal })
  const tx = block?.data.txs[index]
  if (tx === undefined || claimed === undefined || !equalBytes(tx, claimed)) {
    throw wrongAnswer(METHOD, `the verified block of height ${height} has another transaction at index ${index}`)
  }
  checkAttribute(event, 'tx.hash', bytesToHex(hashTx(tx)))
  checkAttribute(event, 'tx.height', String(height))
  return 'tx'
}

async function verifyEvent(modules: EventModules, seen: Seen, signal: AbortSignal | undefined): Promise<EventCover> {
  const { event, trusted } = seen
  const { type, value } = event.data
  checkAttribute(event, 'tm.event', type.slice(PREFIX.length))
  if (type === `${PREFIX}NewBlock`) {
    const block = check(METHOD, () => Block.fromJson(memberOf(value, 'block')))
    checkBlock(METHOD, block, trusted)
    const blockId = check(METHOD, () => BlockId.fromJson(memberOf(value, 'block_id')))
    if (!equalBlockIds(blockId, trusted.commit.blockId))
      throw wrongAnswer(METHOD, 'the block id differs from the verified block id')
    return 'block'
  }
  if (type === `${PREFIX}NewBlockHeader`) {
    const header = check(METHOD, () => Header.fromJson(memberOf(value, 'header')))
    checkHeader(METHOD, header, trusted)
    return 'header'
  }
  return type === `${PREFIX}Tx` ? verifyTx(modules, seen, signal) : 'height'
}

/**
 * Checks an event whose type cannot be verified. Queries select events by the attribute `tm.event`. So the check throws
 * if `tm.event` names a type that can be verified. Otherwise a query for that type would return this unverified event.
 */
function checkNotCommitted({ data, events }: RpcEvent): void {
  const name = events['tm.event']?.find((value) => COMMITTED.has(PREFIX + value))
  if (name !== undefined)
    throw wrongAnswer(METHOD, `an event whose data has the type ${data.type} has the attribute tm.event = ${name}`)
}

/**
 * Yields the events of a query. The header of an event's block is verified before the event is returned. Throws at the
 * first false event.
 */
export async function* verifiedEvents(
  modules: EventModules,
  query: string,
  options: SubscribeOptions = {},
): AsyncGenerator<VerifiedEvent> {
  const { signal } = options
  const keeping = { ...modules, blocks: keepingLast(modules.blocks) }
  for await (const event of modules.client.subscribe(query, options)) {
    if (!COMMITTED.has(event.data.type)) {
      checkNotCommitted(event)
      yield { ...event, verified: 'nothing' }
      continue
    }
    const claimed = heightOfEvent(event)
    if (claimed === undefined) throw wrongAnswer(METHOD, `an event of the type ${event.data.type} has no height`)
    const height = heightOfAnswer(METHOD, claimed)
    // The primary and the witnesses may receive the block of the event later than the node that sent the event.
    // `headers.soon` waits until the light client can fetch and verify the block.
    const trusted = await modules.headers.soon(height, signal)
    yield { ...event, verified: await verifyEvent(keeping, { event, height, trusted }, signal) }
  }
}
