import { open } from 'node:fs/promises'
import {
  BLOCK_PROTOCOL,
  BlockIdFlag,
  type Commit,
  type CommitSig,
  type Header,
  hashHeader,
  ZERO_BLOCK_ID,
} from '@org/types/block'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { addressOf, ed25519FromSecret, type PrivateKey, publicKeyOf, sha256, sign } from '@org/types/crypto'
import { createValidator, createValidatorSet, hashValidators, type ValidatorSet } from '@org/types/validators'
import { SignedMsgType, voteSignBytes } from '@org/types/vote'

export const LIGHT_CHAIN_ID = 'light-chain'
const VALIDATORS = 150
/** A third of the validators is replaced each time this number of heights is over. */
const EPOCH = 1000
const LEAVING = VALIDATORS / 3
const SIGNATURE_SIZE = 64
const SECOND = 1_000_000_000n
const POWER = 10n

/** A chain of signed headers without blocks, whose validators change. Blocks are one second apart. */
export interface LightChain {
  readonly latest: number
  readonly validatorsAt: (height: number) => ValidatorSet
  readonly headerAt: (height: number) => Header
  /** Signs a header, or reads its signatures from the file. */
  readonly commitAt: (height: number) => Promise<Commit>
  readonly close: () => Promise<void>
}

export interface LightChainOptions {
  readonly latest: number
  /** Keeps signatures from one process to the next, because 150 of them take longer than their verification. */
  readonly file: string
  /** Nanoseconds since 1970. */
  readonly startTime: bigint
}

interface Member {
  readonly key: PrivateKey
  readonly address: string
}

const makeMember = (i: number): Member => {
  const key = ed25519FromSecret(utf8ToBytes(`validator ${i}`))
  return { key, address: bytesToHex(addressOf(publicKeyOf(key))) }
}

/** Remembers the value of each number. */
function remembered<T>(make: (at: number) => T): (at: number) => T {
  const known = new Map<number, T>()
  return (at) => {
    const found = known.get(at)
    if (found !== undefined) return found
    const made = make(at)
    known.set(at, made)
    return made
  }
}

const HASHES = {
  parts: sha256(utf8ToBytes('parts')),
  empty: sha256(new Uint8Array(0)),
  consensus: sha256(utf8ToBytes('consensus')),
} as const

export async function openLightChain({ latest, file, startTime }: LightChainOptions): Promise<LightChain> {
  const signatures = await open(file, 'a+').then(async (made) => {
    await made.close()
    return open(file, 'r+')
  })
  const memberAt = remembered(makeMember)
  const membersOf = (epoch: number): readonly Member[] =>
    Array.from({ length: VALIDATORS }, (_, i) => memberAt(epoch * LEAVING + i))
  const byAddress = remembered((epoch) => new Map(membersOf(epoch).map(({ key, address }) => [address, key])))
  const setOf = remembered((epoch) =>
    createValidatorSet(membersOf(epoch).map(({ key }) => createValidator(publicKeyOf(key), POWER))),
  )
  const hashOf = remembered((epoch) => hashValidators(setOf(epoch)))
  const epochAt = (height: number): number => Math.floor((height - 1) / EPOCH)

  const headerAt = (height: number): Header => ({
    version: { block: BLOCK_PROTOCOL, app: 0n },
    chainId: LIGHT_CHAIN_ID,
    height,
    time: startTime + BigInt(height) * SECOND,
    lastBlockId: ZERO_BLOCK_ID,
    lastCommitHash: HASHES.empty,
    dataHash: HASHES.empty,
    validatorsHash: hashOf(epochAt(height)),
    nextValidatorsHash: hashOf(epochAt(height + 1)),
    consensusHash: HASHES.consensus,
    appHash: sha256(utf8ToBytes(`${height}`)),
    lastResultsHash: HASHES.empty,
    evidenceHash: HASHES.empty,
    proposerAddress: (setOf(epochAt(height)).validators[0] as { readonly address: Uint8Array }).address,
  })

  /** Reads the signatures of a height, or makes and writes them. */
  async function signaturesOf(votes: readonly Vote[], height: number): Promise<Uint8Array> {
    const [bytes, position] = [Buffer.alloc(VALIDATORS * SIGNATURE_SIZE), height * VALIDATORS * SIGNATURE_SIZE]
    const { bytesRead } = await signatures.read(bytes, 0, bytes.length, position)
    // No signature begins with 64 zeros, and a part of the file that was not written has only zeros.
    if (bytesRead === bytes.length && bytes.subarray(0, SIGNATURE_SIZE).some((byte) => byte !== 0)) return bytes
    const keys = byAddress(epochAt(height))
    for (const [i, vote] of votes.entries()) {
      const key = keys.get(bytesToHex(vote.validatorAddress)) as PrivateKey
      bytes.set(sign(key, voteSignBytes(LIGHT_CHAIN_ID, vote)), i * SIGNATURE_SIZE)
    }
    await signatures.write(bytes, 0, bytes.length, position)
    return bytes
  }

  return {
    latest,
    validatorsAt: (height) => setOf(epochAt(height)),
    headerAt,
    commitAt: async (height) => {
      const header = headerAt(height)
      const votes = setOf(epochAt(height)).validators.map(({ address }, index) => makeVote(header, address, index))
      const signed = await signaturesOf(votes, height)
      const commitSigs = votes.map(
        ({ validatorAddress, timestamp }, i): CommitSig => ({
          ...{ blockIdFlag: BlockIdFlag.commit, validatorAddress, timestamp },
          signature: signed.subarray(i * SIGNATURE_SIZE, (i + 1) * SIGNATURE_SIZE),
        }),
      )
      return { height, round: 0, blockId: blockIdOf(header), signatures: commitSigs }
    },
    close: () => signatures.close(),
  }
}

const blockIdOf = (header: Header) => ({
  hash: hashHeader(header),
  partSetHeader: { total: 1, hash: HASHES.parts },
})

type Vote = ReturnType<typeof makeVote>

function makeVote(header: Header, validatorAddress: Uint8Array, validatorIndex: number) {
  return {
    ...{ type: SignedMsgType.precommit, height: header.height, round: 0, blockId: blockIdOf(header) },
    timestamp: header.time + SECOND,
    ...{ validatorAddress, validatorIndex },
    ...{ signature: new Uint8Array(0), extension: new Uint8Array(0), extensionSignature: new Uint8Array(0) },
  }
}
