import {
  Block,
  type BlockId,
  BlockIdFlag,
  type Commit,
  type Evidence,
  type FindInvalidSync,
  type GenesisDoc,
  type Header,
  type LightBlock,
  parseGenesis,
  type State,
  type Validator,
  type ValidatorSet,
  Vote,
  verifyCommit,
  verifyCommitSync,
} from '@org/types'
import { type Event, ProposalStatus, type RequestFinalizeBlock, type ResponseCheckTx } from '@org/types/abci'
import { bytesToHex, hexToBytes } from '@org/types/bytes'
import { type PrivateKey, type PublicKey, publicKeyOf, sign, verifySignature } from '@org/types/crypto'
import { BlockSyncMessage, type ConsensusMessage } from '@org/types/messages'
import type { DefaultNodeInfo, NetAddress } from '@org/types/p2p'
import {
  field,
  type Infer,
  isJsonObject,
  type Json,
  type JsonObject,
  type MessageSchema,
  message,
  optional,
  repeated,
  safeInt64,
  string,
} from '@org/types/schema'
import { parseTime, type Time } from '@org/types/time'
import { expectTypeOf, test } from 'vitest'

test('heights are numbers, powers and times are bigints, and hashes are bytes', () => {
  expectTypeOf<Header['height']>().toEqualTypeOf<number>()
  expectTypeOf<Header['time']>().toEqualTypeOf<Time>()
  expectTypeOf<Time>().toEqualTypeOf<bigint>()
  expectTypeOf<Header['appHash']>().toEqualTypeOf<Uint8Array>()
  expectTypeOf<Validator['votingPower']>().toEqualTypeOf<bigint>()
  expectTypeOf<State['lastBlockHeight']>().toEqualTypeOf<number>()
  expectTypeOf<GenesisDoc['initialHeight']>().toEqualTypeOf<number>()
})

test('a schema and its type share a name, and decode gives the type', () => {
  expectTypeOf(Vote.decode).returns.toEqualTypeOf<Vote>()
  expectTypeOf(Block).toEqualTypeOf<MessageSchema<Block>>()
  expectTypeOf(Block.encode).parameter(0).toEqualTypeOf<Block>()
  expectTypeOf<Vote['blockId']>().toEqualTypeOf<BlockId>()
})

test('a value cannot be changed', () => {
  const vote = Vote.create({ height: 5 })
  // @ts-expect-error: the members of a message are read-only
  vote.height = 6
  // @ts-expect-error: a height is a number
  Vote.create({ height: 5n })
  // @ts-expect-error: a vote has no such member
  Vote.create({ heights: 5 })
})

test('parts of a block that may be missing are undefined, and lists are not', () => {
  expectTypeOf<Block['lastCommit']>().toEqualTypeOf<Commit | undefined>()
  expectTypeOf<Block['data']['txs']>().toEqualTypeOf<readonly Uint8Array[]>()
  expectTypeOf<LightBlock['validatorSet']>().toEqualTypeOf<ValidatorSet | undefined>()
  expectTypeOf<Block['evidence']['evidence']>().toEqualTypeOf<readonly Evidence[]>()
  expectTypeOf<Commit['signatures'][number]['blockIdFlag']>().toEqualTypeOf<BlockIdFlag>()
  expectTypeOf(BlockIdFlag.commit).toExtend<BlockIdFlag>()
})

test('a commit is verified with a promise, or at once by a checker that returns no promise', () => {
  expectTypeOf(verifyCommit).returns.resolves.toEqualTypeOf<void>()
  expectTypeOf(verifyCommitSync).returns.toEqualTypeOf<void>()
  expectTypeOf<ReturnType<FindInvalidSync>>().toEqualTypeOf<number>()
  expectTypeOf(parseGenesis).returns.toEqualTypeOf<GenesisDoc>()
})

test('messages of ABCI have the names and the types of the reference, in camel case', () => {
  expectTypeOf<RequestFinalizeBlock['txs']>().toEqualTypeOf<readonly Uint8Array[]>()
  expectTypeOf<RequestFinalizeBlock['time']>().toEqualTypeOf<Time>()
  expectTypeOf<ResponseCheckTx['code']>().toEqualTypeOf<number>()
  expectTypeOf<ResponseCheckTx['gasUsed']>().toEqualTypeOf<bigint>()
  expectTypeOf<Event['attributes'][number]['index']>().toEqualTypeOf<boolean>()
  expectTypeOf(ProposalStatus.accept).toExtend<ProposalStatus>()
})

test('a text that is not hexadecimal gives undefined', () => {
  expectTypeOf(hexToBytes).returns.toEqualTypeOf<Uint8Array | undefined>()
  expectTypeOf(bytesToHex).toEqualTypeOf<(bytes: Uint8Array) => string>()
})

test('a private key signs, and only a public key verifies', () => {
  expectTypeOf(publicKeyOf).toEqualTypeOf<(key: PrivateKey) => PublicKey>()
  expectTypeOf(sign).returns.toEqualTypeOf<Uint8Array>()
  expectTypeOf(sign).parameter(0).toEqualTypeOf<PrivateKey>()
  expectTypeOf(verifySignature).returns.toEqualTypeOf<boolean>()
})

test('a message with one of several contents is a union, and the case determines the type of the value', () => {
  const { sum } = BlockSyncMessage.decode(new Uint8Array(0))
  if (sum?.case === 'blockRequest') expectTypeOf(sum.value.height).toEqualTypeOf<number>()
  if (sum?.case === 'blockResponse') expectTypeOf(sum.value.block).toEqualTypeOf<Block | undefined>()
  type Kind = NonNullable<ConsensusMessage['sum']>['case']
  expectTypeOf<'proposal' | 'blockPart' | 'vote'>().toExtend<Kind>()
  expectTypeOf<'blockRequest'>().not.toExtend<Kind>()
})

test('messages between peers have the addresses and the node info of a peer', () => {
  expectTypeOf<NetAddress['port']>().toEqualTypeOf<number>()
  expectTypeOf<DefaultNodeInfo['channels']>().toEqualTypeOf<Uint8Array>()
  expectTypeOf<DefaultNodeInfo['protocolVersion']['p2p']>().toEqualTypeOf<bigint>()
})

test('the type of a new message is inferred from its schema', () => {
  const Account = message('example.Account', {
    name: field(1, string),
    height: field(2, safeInt64),
    friends: repeated(3, string),
  })
  const Transfer = message('example.Transfer', { from: optional(1, Account) })
  expectTypeOf<Infer<typeof Account>>().toEqualTypeOf<{
    readonly name: string
    readonly height: number
    readonly friends: readonly string[]
  }>()
  expectTypeOf<Infer<typeof Transfer>['from']>().toEqualTypeOf<Infer<typeof Account> | undefined>()
  expectTypeOf(Account.toJson).returns.toEqualTypeOf<JsonObject>()
})

test('JSON is an object only after a check', () => {
  const json: Json = null as Json
  // @ts-expect-error: JSON may also be a list, a text, a number, a boolean or null
  expectTypeOf(json.name)
  if (isJsonObject(json)) expectTypeOf(json.name).toEqualTypeOf<Json | undefined>()
})

test('a time is parsed from a text, and undefined if the text is not a time', () => {
  expectTypeOf(parseTime).returns.toEqualTypeOf<Time | undefined>()
})
