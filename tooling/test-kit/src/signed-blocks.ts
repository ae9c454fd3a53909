import {
  ABSENT_COMMIT_SIG,
  BLOCK_PROTOCOL,
  type BlockId,
  BlockIdFlag,
  type Commit,
  type CommitSig,
  createValidator,
  createValidatorSet,
  type Header,
  hashHeader,
  hashValidators,
  SignedMsgType,
  type ValidatorSet,
  ZERO_BLOCK_ID,
} from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { ed25519FromSecret, generateSecp256k1, type PrivateKey, publicKeyOf, sha256 } from '@org/types/crypto'
import { signVote } from './commits.ts'

/**
 * A header, the commit for it, and the validators of its height. The light client's type `LightBlock` has the same
 * members.
 */
export interface SignedBlock {
  readonly header: Header
  readonly commit: Commit
  readonly validators: ValidatorSet
}

export const SECOND = 1_000_000_000n
export const HOUR = 3600n * SECOND
/** The time of the first block: 2006-01-02T15:04:05Z. */
export const START = 1_136_214_245n * SECOND

const hash = (text: string): Uint8Array => sha256(utf8ToBytes(text))

/** Makes keys from a name; each key has its own number. Each run makes the same keys. */
export function makeKeys(count: number, name = 'key'): PrivateKey[] {
  return Array.from({ length: count }, (_, i) => ed25519FromSecret(utf8ToBytes(`${name} ${i}`)))
}

export function makeSecpKeys(count: number): PrivateKey[] {
  return Array.from({ length: count }, (_, i) => generateSecp256k1(hash(`secp ${i}`)))
}

/** Makes a set of validators with the powers `first`, `first + step`, and so on. */
export function makeValidators(keys: readonly PrivateKey[], first: number, step: number): ValidatorSet {
  return createValidatorSet(keys.map((key, i) => createValidator(publicKeyOf(key), BigInt(first + i * step))))
}

export interface SignOptions {
  /** The keys that sign. Default: all keys. */
  readonly signers?: readonly PrivateKey[]
  readonly round?: number
  /** The positions of the validators whose signature is replaced by a signature of another message. */
  readonly forged?: readonly number[]
  readonly nil?: readonly number[]
}

/** Makes the commit of a header. The validators whose keys are in `keys` sign it. */
function signHeader(
  header: Header,
  { validators, keys, ...options }: Pick<BlockParts, 'validators' | 'keys'> & SignOptions,
): Commit {
  const { signers = keys, round = 1, forged = [], nil = [] } = options
  const blockId: BlockId = { hash: hashHeader(header), partSetHeader: { total: 1, hash: hash('parts') } }
  const byAddress = new Map(signers.map((key) => [createValidator(publicKeyOf(key), 1n).address.join(), key]))
  const signatures = validators.validators.map((validator, index): CommitSig => {
    const key = byAddress.get(validator.address.join())
    if (key === undefined) return ABSENT_COMMIT_SIG
    const forBlock = !nil.includes(index)
    const vote = {
      type: SignedMsgType.precommit,
      height: header.height,
      round,
      blockId: forBlock ? blockId : ZERO_BLOCK_ID,
      timestamp: header.time + SECOND,
      validatorAddress: validator.address,
      validatorIndex: index,
      extension: new Uint8Array(0),
      extensionSignature: new Uint8Array(0),
    }
    const chainId = forged.includes(index) ? `${header.chainId}?` : header.chainId
    return {
      blockIdFlag: forBlock ? BlockIdFlag.commit : BlockIdFlag.nil,
      validatorAddress: validator.address,
      timestamp: vote.timestamp,
      signature: signVote(key, vote, chainId).signature,
    }
  })
  const commit: Commit = { height: header.height, round, blockId, signatures }
  return commit
}

export interface BlockParts extends SignOptions {
  readonly chainId?: string
  readonly height: number
  readonly time: bigint
  readonly keys: readonly PrivateKey[]
  readonly validators: ValidatorSet
  readonly next?: ValidatorSet
  readonly header?: Partial<Header>
}

export function makeBlock({ chainId = 'made', height, time, keys, validators, next, header, ...rest }: BlockParts) {
  const made: Header = {
    version: { block: BLOCK_PROTOCOL, app: 0n },
    chainId,
    height,
    time,
    lastBlockId: ZERO_BLOCK_ID,
    lastCommitHash: new Uint8Array(0),
    dataHash: hash(''),
    validatorsHash: hashValidators(validators),
    nextValidatorsHash: hashValidators(next ?? validators),
    consensusHash: hash('cons_hash'),
    appHash: hash('app_hash'),
    lastResultsHash: hash('results_hash'),
    evidenceHash: new Uint8Array(0),
    proposerAddress: validators.validators[0]?.address ?? new Uint8Array(20),
    ...header,
  }
  const block: SignedBlock = { header: made, commit: signHeader(made, { validators, keys, ...rest }), validators }
  return block
}

export interface ChainShape {
  readonly chainId?: string
  /** The last height of the chain. */
  readonly to: number
  readonly from?: number
  /** Returns the keys of the validators of a height. */
  readonly keysAt: (height: number) => readonly PrivateKey[]
  /**
   * The block before the first made block. If it is a block of another chain, the made chain is a fork of that chain.
   */
  readonly after?: SignedBlock
  readonly header?: (height: number) => Partial<Header>
  readonly signing?: (height: number) => SignOptions
}

const MINUTE = 60n * SECOND

/** Returns the time of a block of a made chain. The times of two successive blocks are one minute apart. */
export const timeAt = (height: number): bigint => START + BigInt(height) * MINUTE

/** Makes a chain of linked blocks, one minute apart. */
export function makeChain({ chainId, from = 1, to, keysAt, after, header, signing }: ChainShape) {
  const blocks = new Map<number, SignedBlock>()
  const sets = new Map<readonly PrivateKey[], ValidatorSet>()
  const setAt = (height: number): ValidatorSet => {
    const keys = keysAt(height)
    const set = sets.get(keys) ?? makeValidators(keys, 2, 0)
    sets.set(keys, set)
    return set
  }
  let last = after
  for (let height = from; height <= to; height++) {
    last = makeBlock({
      ...(chainId !== undefined && { chainId }),
      height,
      time: timeAt(height),
      keys: keysAt(height),
      validators: setAt(height),
      next: setAt(height + 1),
      header: { ...(last !== undefined && { lastBlockId: last.commit.blockId }), ...header?.(height) },
      ...signing?.(height),
    })
    blocks.set(height, last)
  }
  return blocks
}
