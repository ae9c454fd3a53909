import { PublicKey } from '../crypto/public-key.ts'
import {
  type Codec,
  type Field,
  field,
  hexBytes,
  type Infer,
  int64,
  type MessageSchema,
  message,
  optional,
  repeated,
} from '../schema/index.ts'

const validatorSchema = message('tendermint.types.Validator', {
  address: field(1, hexBytes),
  pubKey: field(2, PublicKey),
  votingPower: field(3, int64),
  proposerPriority: field(4, int64),
})
/** tendermint.types.Validator: an address, a public key, a voting power, and the priority for becoming proposer. */
export interface Validator extends Infer<typeof validatorSchema> {}
export const Validator: MessageSchema<Validator> = validatorSchema

/** tendermint.types.SimpleValidator: the part of a validator from which a validator set's hash is made. */
export const SimpleValidator = message('tendermint.types.SimpleValidator', {
  pubKey: field(1, PublicKey),
  votingPower: field(2, int64),
})
export type SimpleValidator = Infer<typeof SimpleValidator>

const writtenPower = field(3, int64)

/**
 * The total power, which is computed from the validators. The reference writes 0 in place of the total power, and
 * ignores the value that it reads.
 */
const totalVotingPower: Field<bigint> = {
  type: { kind: 'derived' },
  zero: () => 0n,
  wire: writtenPower.wire.map((wire) => ({ ...wire, write: () => undefined })),
  json: {
    name: undefined,
    isHidden: true,
    isNullable: false,
    isOptional: false,
    write: () => undefined,
    read: () => 0n,
  },
}

/** tendermint.types.ValidatorSet. Decoding and `create` both set `totalVotingPower` to the sum of the powers. */
export const ValidatorSet = message(
  'tendermint.types.ValidatorSet',
  {
    validators: repeated(1, Validator),
    proposer: optional(2, Validator),
    totalVotingPower,
  },
  {
    derive: ({ validators }) => ({
      totalVotingPower: validators.reduce((sum, { votingPower }) => sum + votingPower, 0n),
    }),
  },
)
export type ValidatorSet = Infer<typeof ValidatorSet>

/**
 * The codec of a set that is not written if it is empty, such as `lastValidators` in the state before the first block.
 */
export const NonEmptyValidatorSet: Codec<ValidatorSet> = {
  ...ValidatorSet,
  isZero: ({ validators, proposer }) => validators.length === 0 && proposer === undefined,
}
