import { PublicKey } from '@org/types/crypto'
import {
  bytes,
  type Field,
  hexBytes,
  int32,
  int64 as int64Codec,
  type JsonMember,
  safeInt64,
  string,
  time as timeCodec,
  uint32,
  uint64,
} from '@org/types/schema'
import { type AminoReader, base64, hex, int64, integer, list, struct, tagged, text, time } from './amino.ts'
import { integerFromJson, UINT } from './values.ts'

/** The parts of a codec that are needed to make its reader. A codec that is not for a message has only `fromJson`. */
interface ReadCodec {
  readonly fromJson: unknown
  readonly jsonMembers?: readonly JsonMember[] | undefined
  readonly onlyField?: Field<unknown> | undefined
}

const INT32 = { min: -(2n ** 31n), max: 2n ** 31n - 1n }

/**
 * The names of types that the reference has registered, but that this node does not read. For such a name, the
 * reference's error differs from its error for an unknown name.
 */
const OTHER_TYPES =
  /^tendermint\/((Pub|Priv)Key(Ed25519|Secp256k1|Sr25519)|event\/(NewBlock(Header|Events)?|NewEvidence|Tx|RoundState|NewRound|CompleteProposal|Vote|ValidatorSetUpdates|ProposalString)|wal\/(MsgInfo|TimeoutInfo|EndHeightMessage)|NewRoundStepMessage|NewValidBlockMessage|Proposal(POL)?|BlockPart|Vote|HasVote|VoteSetMaj23|VoteSetBits)$/

const LEAVES: ReadonlyMap<unknown, AminoReader> = new Map<unknown, AminoReader>([
  [string.fromJson, text],
  [int32.fromJson, integer({ goType: 'int32', ...INT32 })],
  [uint32.fromJson, integer({ goType: 'uint32', min: 0n, max: 2n ** 32n - 1n })],
  [int64Codec.fromJson, int64],
  [safeInt64.fromJson, int64],
  [uint64.fromJson, (raw) => (raw === 'null' ? null : integerFromJson(raw, { ...UINT, goType: 'uint64' }).toString())],
  [timeCodec.fromJson, time],
  [hexBytes.fromJson, hex],
  [bytes.fromJson, base64],
  [
    PublicKey.fromJson,
    tagged({
      known: { 'tendermint/PubKeyEd25519': base64, 'tendermint/PubKeySecp256k1': base64 },
      others: OTHER_TYPES,
    }),
  ],
])

/**
 * The readers of the integers that have a Go type with a name of its own, such as `types.BlockIDFlag`. The reference
 * shows the name of the Go type in its errors. The key of each reader is the name of the object member that has the
 * integer.
 */
const NAMED_INTEGERS: Readonly<Record<string, AminoReader>> = {
  type: integer({ goType: 'types.SignedMsgType', ...INT32 }),
  block_id_flag: integer({ goType: 'types.BlockIDFlag', min: 0n, max: 255n }),
}

function readerOfField({ type }: Field<unknown>): AminoReader {
  if (type.kind === 'derived') return () => null
  if (type.kind === 'oneof') {
    const cases = Object.entries(type.cases).map(([key, { tag, codec }]) => [tag ?? key, aminoReaderOf(codec)] as const)
    return tagged({ known: Object.fromEntries(cases), others: OTHER_TYPES })
  }
  const item = aminoReaderOf(type.codec)
  return type.kind === 'repeated' ? list(item) : item
}

/**
 * Makes the reader of a type from the fields of its schema. It accepts the same JSON as the reference, and refuses
 * other JSON with the same errors.
 */
export function aminoReaderOf(codec: ReadCodec): AminoReader {
  if (codec.onlyField !== undefined) return readerOfField(codec.onlyField)
  const { jsonMembers } = codec
  if (jsonMembers === undefined) return LEAVES.get(codec.fromJson) as AminoReader
  return struct(
    Object.fromEntries(jsonMembers.map(({ name, field }) => [name, NAMED_INTEGERS[name] ?? readerOfField(field)])),
  )
}
