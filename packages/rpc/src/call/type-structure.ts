import type { Codec } from '@org/types/schema'

/** The structure of a type. From it, the reader of the client is generated. */
export type Form =
  | { readonly kind: 'codec'; readonly codec: Pick<Codec<unknown>, 'toJson' | 'fromJson'> }
  | { readonly kind: 'json' }
  | { readonly kind: 'list' | 'optional'; readonly item: Form }
  | { readonly kind: 'object'; readonly members: readonly FormMember[] }

export interface FormMember {
  readonly key: string
  /** The name in JSON. */
  readonly name: string
  readonly form: Form
}
