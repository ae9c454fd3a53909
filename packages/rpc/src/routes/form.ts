import type { Codec } from '@org/types/schema'

/** How a type is put together, for those who make other readers of it. */
export type Form =
  | { readonly kind: 'codec'; readonly codec: Pick<Codec<unknown>, 'toJson' | 'fromJson'> }
  | { readonly kind: 'json' }
  | { readonly kind: 'list' | 'optional'; readonly item: Form }
  | { readonly kind: 'object'; readonly members: readonly FormMember[] }

export interface FormMember {
  readonly key: string
  /** In JSON. */
  readonly name: string
  readonly form: Form
}
