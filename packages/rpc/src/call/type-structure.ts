import type { Codec } from '@org/types/schema'

/**
 * The structure of a type. The table in `src/client/table.ts` is generated from these structures. With this table, the
 * client reads and writes values.
 */
export type Form =
  | { readonly kind: 'codec'; readonly codec: Pick<Codec<unknown>, 'toJson' | 'fromJson'> }
  | { readonly kind: 'json' }
  | { readonly kind: 'list' | 'optional'; readonly item: Form }
  | { readonly kind: 'object'; readonly members: readonly FormMember[] }

export interface FormMember {
  readonly key: string
  /** The name of the member in JSON. */
  readonly name: string
  readonly form: Form
}
