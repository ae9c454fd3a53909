import { Commit } from '../commit/commit.ts'
import { Header } from '../header/header.ts'
import { type Infer, message, optional } from '../schema/index.ts'
import { ValidatorSet } from '../validators/wire.ts'

/** tendermint.types.SignedHeader: a header, and the commit that signs it. */
export const SignedHeader = message('tendermint.types.SignedHeader', {
  header: optional(1, Header),
  commit: optional(2, Commit),
})
export type SignedHeader = Infer<typeof SignedHeader>

/** tendermint.types.LightBlock: a signed header, and the validator set of its height. */
export const LightBlock = message('tendermint.types.LightBlock', {
  signedHeader: optional(1, SignedHeader),
  validatorSet: optional(2, ValidatorSet),
})
export type LightBlock = Infer<typeof LightBlock>
