import { open } from 'node:fs/promises'
import {
  BLOCK_PROTOCOL,
  type BlockId,
  createValidator,
  createValidatorSet,
  type Header,
  hashHeader,
  hashValidators,
  SignedMsgType,
  type ValidatorSet,
  voteSignBytes,
  ZERO_BLOCK_ID,
} from '@org/types'
import { bytesToHex, concatBytes, utf8ToBytes } from '@org/types/bytes'
import { addressOf, ed25519FromSecret, type PrivateKey, publicKeyOf, sha256, sign } from '@org/types/crypto'

export const LIGHT_CHAIN_ID = 'light-chain'
const VALIDATORS = 150
/** The number of heights after which a third of the validators is replaced. */
const EPOCH = 1000
const LEAVING = VALIDATORS / 3
const SIGNATURE_SIZE = 64
const SECOND = 1_000_000_000n
const POWER = 10n
/**
 * The time of the chain's start in nanoseconds since 1970: 2025-01-01. It never changes, so that signatures on the
 * disk stay valid for later runs.
 */
const START_TIME = 1_735_689_600n * SECOND

/** A chain of signed headers without blocks. Its validators change, and its headers are one second apart. */
export interface LightChain {
  readonly validatorsAt: (height: number) => ValidatorSet
  readonly headerAt: (height: number) => Header
  /**
   * The signatures of all validators for a height, one after the other. They are read from the file. If the file does
   * not have these signatures yet, the validators sign the height, and the signatures are written to the file.
   */
  readonly signaturesAt: (height: number) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

interface Member {
  readonly key: PrivateKey
  readonly address: string
}

const makeMember = (i: number): Member => {
  const key = ed25519FromSecret(utf8ToBytes(`validator ${i}`))
  return { key, address: bytesToHex(addressOf(publicKeyOf(key))) }
}

/** Returns a function that calls `make` only once for each number, and keeps the value. */
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

const epochAt = (height: number): number => Math.floor((height - 1) / EPOCH)

/** Returns the keys and validator sets of the chain. Each is made when it is first used. */
function createMembers() {
  const memberAt = remembered(makeMember)
  const membersOf = (epoch: number): readonly Member[] =>
    Array.from({ length: VALIDATORS }, (_, i) => memberAt(epoch * LEAVING + i))
  const keysOf = remembered((epoch) => new Map(membersOf(epoch).map(({ key, address }) => [address, key])))
  const setOf = remembered((epoch) =>
    createValidatorSet(membersOf(epoch).map(({ key }) => createValidator(publicKeyOf(key), POWER))),
  )
  return { keysOf, setOf, hashOf: remembered((epoch) => hashValidators(setOf(epoch))) }
}

type Members = ReturnType<typeof createMembers>

const headerOf = ({ setOf, hashOf }: Members, height: number): Header => ({
  version: { block: BLOCK_PROTOCOL, app: 0n },
  chainId: LIGHT_CHAIN_ID,
  height,
  time: START_TIME + BigInt(height) * SECOND,
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

/** Returns the id of the block that has this header. The votes of the height are for this id. */
export const blockIdOf = (header: Header): BlockId => ({
  hash: hashHeader(header),
  partSetHeader: { total: 1, hash: HASHES.parts },
})

/** Returns the time in the votes for a header, in nanoseconds since 1970. All votes have the same time. */
export const voteTimeOf = (header: Header): bigint => header.time + SECOND

function signAll(members: Members, header: Header): Uint8Array {
  const keys = members.keysOf(epochAt(header.height))
  // The message is the same for all validators, because the bytes that a validator signs do not contain its address.
  const message = voteSignBytes(LIGHT_CHAIN_ID, {
    ...{ type: SignedMsgType.precommit, height: header.height, round: 0 },
    ...{ blockId: blockIdOf(header), timestamp: voteTimeOf(header) },
  })
  const { validators } = members.setOf(epochAt(header.height))
  const bytes = new Uint8Array(VALIDATORS * SIGNATURE_SIZE)
  for (const [i, { address }] of validators.entries()) {
    bytes.set(sign(keys.get(bytesToHex(address)) as PrivateKey, message), i * SIGNATURE_SIZE)
  }
  return bytes
}

/**
 * Opens the chain whose signatures are in `file`. The file has zeros at the place of each height that is not signed
 * yet.
 */
export async function openLightChain(file: string): Promise<LightChain> {
  const made = await open(file, 'a+')
  await made.close()
  const signatures = await open(file, 'r+')
  const members = createMembers()
  const headerAt = (height: number): Header => headerOf(members, height)
  return {
    validatorsAt: (height) => members.setOf(epochAt(height)),
    headerAt,
    signaturesAt: async (height) => {
      const [bytes, position] = [new Uint8Array(VALIDATORS * SIGNATURE_SIZE), height * VALIDATORS * SIGNATURE_SIZE]
      const { bytesRead } = await signatures.read(bytes, 0, bytes.length, position)
      // The file has zeros where no signature was written yet. No signature consists of 64 zeros.
      if (bytesRead === bytes.length && bytes.subarray(0, SIGNATURE_SIZE).some((byte) => byte !== 0)) return bytes
      const signed = signAll(members, headerAt(height))
      await signatures.write(signed, 0, signed.length, position)
      return signed
    },
    close: () => signatures.close(),
  }
}

/**
 * Returns a digest of the bytes that validators sign at two heights of the chain. The digest changes if the encoding of
 * headers or votes changes.
 */
export function lightChainDigest(): string {
  const members = createMembers()
  const digests = [1, 100_000].map((height) => {
    const header = headerOf(members, height)
    const vote = { type: SignedMsgType.precommit, height, round: 0, blockId: blockIdOf(header) }
    return sha256(voteSignBytes(LIGHT_CHAIN_ID, { ...vote, timestamp: voteTimeOf(header) }))
  })
  return bytesToHex(sha256(concatBytes(...digests))).slice(0, 16)
}
