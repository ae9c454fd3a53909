import { field, type Infer, message, safeInt64 } from '../schema/index.ts'

/** tendermint.store.BlockStoreState: the first and last height that a block store has. */
export const BlockStoreState = message('tendermint.store.BlockStoreState', {
  base: field(1, safeInt64),
  height: field(2, safeInt64),
})
export type BlockStoreState = Infer<typeof BlockStoreState>
