import { Evidence } from '@org/types/evidence'
import type { Json } from '@org/types/schema'
import { argumentError } from '../errors.ts'
import { type Binary, fieldsOf, kindOf, mismatch, quoteText, scanWhole, textOf, textOfBinary } from '../json/index.ts'
import type { Param } from './params.ts'

const KNOWN: readonly string[] = ['tendermint/DuplicateVoteEvidence', 'tendermint/LightClientAttackEvidence']
/** Other types that the reference's JSON knows by name. */
const OTHERS =
  /^tendermint\/(PubKey(Ed25519|Secp256k1|Sr25519)|PrivKey(Ed25519|Secp256k1|Sr25519)|event\/\w+|wal\/\w+|[A-Z]\w+Message|NewRoundStepMessage)$/

/** The type name and raw value of a tagged JSON object. */
function unwrap(raw: Binary): { readonly type: string; readonly value: Binary } {
  const found = kindOf(raw)
  if (found !== 'object') throw mismatch(found, 'json.interfaceWrapper')
  let type = ''
  let value = ''
  for (const [name, member] of fieldsOf(raw, ['type', 'value'])) {
    const kind = kindOf(member)
    if (name === 'value') value = member
    else if (kind === 'string') type = textOf(member)
    else if (kind !== 'null') throw mismatch(kind, 'string', 'Go struct field interfaceWrapper.type')
  }
  return { type, value }
}

function fromJson(text: Binary): Evidence | undefined {
  const raw = scanWhole(text)
  if (raw === 'null') throw argumentError('interface type cannot be empty')
  const { type, value } = unwrap(raw)
  if (type === '') throw argumentError('interface type cannot be empty')
  if (value === '') throw argumentError('interface value cannot be empty')
  if (!KNOWN.includes(type)) {
    throw argumentError(
      OTHERS.test(type) ? `invalid type ${quoteText(type)} for this value` : `unknown type ${quoteText(type)}`,
    )
  }
  const json = value === 'null' ? {} : (JSON.parse(textOfBinary(value)) as Json)
  return Evidence.fromJson({ type, value: json })
}

export interface EvidenceParam extends Param<Evidence | undefined> {}

/** Evidence in its tagged JSON form. */
export const evidence: EvidenceParam = {
  zero: undefined,
  isZero: (value) => value === undefined,
  fromJson,
  fromUri: (text) => {
    if (/^0x/i.test(text)) throw argumentError("got a hex string arg, but expected 'interface'")
    return text === 'null' ? undefined : fromJson(text)
  },
  toJson: (value) => (value === undefined ? null : Evidence.toJson(value)),
  schema: { $ref: '#/components/schemas/Evidence' },
}
