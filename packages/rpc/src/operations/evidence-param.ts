import { Evidence } from '@org/types'
import { ref } from '../call/json-schema.ts'
import type { Param } from '../call/params.ts'
import { argumentError } from '../errors.ts'
import { aminoReaderOf } from '../json/amino-reader.ts'
import type { Binary } from '../json/index.ts'

const reader = aminoReaderOf(Evidence)

function fromJson(raw: Binary): Evidence | undefined {
  const json = reader(raw) as { readonly type: string; readonly value: object | null } | null
  return json === null ? undefined : Evidence.fromJson({ type: json.type, value: json.value ?? {} } as never)
}

export interface EvidenceParam extends Param<Evidence | undefined> {}

/** Evidence in its tagged JSON form. */
export const evidence: EvidenceParam = {
  zero: undefined,
  isZero: (value) => value === undefined,
  fromJson,
  fromUri: (text) => {
    if (/^0x/i.test(text)) throw argumentError("got a hex string arg, but expected 'interface'")
    return fromJson(text)
  },
  toJson: (value) => (value === undefined ? null : Evidence.toJson(value)),
  schema: ref('Evidence'),
}
