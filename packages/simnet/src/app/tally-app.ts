import type { Application } from '@org/abci'
import { ConsensusParamsUpdate } from '@org/types'
import { ProposalStatus, VerifyStatus } from '@org/types/abci'
import { bytesToHex, bytesToUtf8, concatBytes, hexToBytes, utf8ToBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { WORLD_ERRORS, WorldError } from '../world/index.ts'
import type { AppHome } from './app-home.ts'
import { createTallyRestore, createTallySnapshots, type TallyContents } from './tally-snapshots.ts'

interface Tally {
  readonly height: number
  readonly hash: Uint8Array
  /** The height at which each transaction was committed. */
  readonly txs: ReadonlyMap<string, number>
  /** The power of each validator, by key. */
  readonly powers: ReadonlyMap<string, bigint>
}

const EMPTY: Tally = { height: 0, hash: new Uint8Array(0), txs: new Map(), powers: new Map() }
const VALIDATOR = /^val:([0-9a-f]{64})!(\d+)$/i
const GOOD = /^(tx:[\w-]+|val:[0-9a-f]{64}!\d+(:[\w-]+)?)$/i
const FILTERED = /^\/p2p\/filter\/id\/([0-9a-f]+)$/
/**
 * The result code of an invalid transaction. A block contains such a transaction only if its proposer breaks the rules
 * of this application.
 */
const REFUSED = 1

export interface TallyOptions {
  /** True if the application adds an extension to each precommit, and checks the extensions of other validators. */
  readonly extensions?: boolean
  /** The number of newest blocks that the application asks the node to keep; 0, the default, means all blocks. */
  readonly keepBlocks?: number
  /**
   * The interval, in heights, at which the application changes the consensus parameters of blocks and evidence; 0, the
   * default, means never.
   */
  readonly paramsEvery?: number
  /** The interval, in heights, at which the application makes a snapshot; 0, the default, means never. */
  readonly snapshotsEvery?: number
  /**
   * The validators of the genesis, by key. The application needs them to restore a snapshot. Without them it restores
   * no snapshot.
   */
  readonly genesisPowers?: ReadonlyMap<string, bigint>
  /** The ids of nodes that the application refuses as peers. */
  readonly refuses?: readonly string[]
  /**
   * True if the application accepts a transaction that is in a block already. Then the node alone must make sure that
   * each transaction is in only one block.
   */
  readonly acceptsCommitted?: boolean
  /** True if the application adds a transaction of its own to each block. */
  readonly makesTxs?: boolean
}

/** Returns the state that the contents of a snapshot describe. Throws if a transaction of the snapshot is invalid. */
function restoreTally({ height, txs }: TallyContents, genesisPowers: ReadonlyMap<string, bigint>): Tally {
  const powers = new Map(genesisPowers)
  let hash = EMPTY.hash
  for (const text of txs.keys()) {
    if (!GOOD.test(text))
      throw new WorldError(WORLD_ERRORS.badState, `a snapshot contains the invalid transaction ${text}`)
    hash = count(text, { hash, powers })
  }
  return { height, hash, txs, powers }
}

/** Applies a valid transaction: updates `powers` if the transaction changes a power, and returns the new app hash. */
function count(text: string, { hash, powers }: { readonly hash: Uint8Array; powers: Map<string, bigint> }): Uint8Array {
  const [, key, power] = VALIDATOR.exec(text.split(':').slice(0, 2).join(':')) ?? []
  if (key !== undefined) change(powers, key.toLowerCase(), BigInt(power ?? 0))
  return sha256(concatBytes(hash, utf8ToBytes(text)))
}

/**
 * Returns the consensus parameters for a height. The block size differs at each height, and evidence expires after a
 * short time.
 */
function paramsAt(height: number): ConsensusParamsUpdate {
  return ConsensusParamsUpdate.create({
    block: { maxBytes: BigInt(1_000_000 + height), maxGas: -1n },
    evidence: { maxAgeNumBlocks: 3n, maxAgeDuration: 800_000_000n, maxBytes: BigInt(100_000 + height) },
  })
}

/**
 * The application of simulated networks. It counts transactions of the form `tx:<name>`. A transaction `val:<ed25519
 * key in hex>!<power>:<name>` also changes the power of a validator. The app hash covers all transactions in order. At
 * Commit the application saves its state to `home`, which survives a crash.
 */
export function createTallyApp(home: AppHome, options: TallyOptions = {}): Application {
  const { extensions = false, keepBlocks = 0, paramsEvery = 0, snapshotsEvery = 0, refuses = [] } = options
  const { genesisPowers } = options
  const snapshots = createTallySnapshots()
  let tally = (home.load() as Tally | undefined) ?? EMPTY
  let pending: Tally | undefined

  const restore = createTallyRestore((contents) => {
    tally = restoreTally(contents, genesisPowers ?? EMPTY.powers)
    home.saveAlways(tally)
  })

  const isGood = (tx: Uint8Array): boolean => {
    const text = bytesToUtf8(tx)
    return GOOD.test(text) && (options.acceptsCommitted === true || !tally.txs.has(text))
  }

  function isUnique(txs: readonly Uint8Array[]): boolean {
    return new Set(txs.map(bytesToUtf8)).size === txs.length
  }

  return {
    info: () => ({ lastBlockHeight: tally.height, lastBlockAppHash: tally.hash }),
    query: ({ data, path }) => {
      const peer = FILTERED.exec(path)?.[1]
      if (peer !== undefined) return { code: refuses.includes(peer) ? REFUSED : 0 }
      const at = tally.txs.get(bytesToUtf8(data))
      return { height: tally.height, value: utf8ToBytes(at === undefined ? '' : String(at)) }
    },
    initChain: ({ validators }) => {
      const powers = validators.map(({ pubKey, power }) => [bytesToHex(pubKey.bytes).toLowerCase(), power] as const)
      tally = { ...EMPTY, powers: new Map(powers) }
      return {}
    },
    checkTx: ({ tx }) => ({ code: isGood(tx) ? 0 : REFUSED }),
    prepareProposal: ({ txs, height }) => {
      const own = options.makesTxs === true ? [utf8ToBytes(`tx:made-${height}`)] : []
      return { txs: [...txs.filter(isGood), ...own] }
    },
    processProposal: ({ txs }) => ({
      status: txs.every(isGood) && isUnique(txs) ? ProposalStatus.accept : ProposalStatus.reject,
    }),
    ...(extensions
      ? {
          extendVote: ({ height, hash }) => ({
            voteExtension: concatBytes(utf8ToBytes(`${height}/`), hash.subarray(0, 8)),
          }),
          verifyVoteExtension: ({ height, hash, voteExtension }) => {
            const wanted = concatBytes(utf8ToBytes(`${height}/`), hash.subarray(0, 8))
            const same = wanted.length === voteExtension.length && wanted.every((byte, i) => byte === voteExtension[i])
            return { status: same ? VerifyStatus.accept : VerifyStatus.reject }
          },
        }
      : {}),
    ...(snapshotsEvery > 0 ? { listSnapshots: snapshots.list, loadSnapshotChunk: snapshots.chunk } : {}),
    ...(genesisPowers === undefined ? {} : { offerSnapshot: restore.offer, applySnapshotChunk: restore.apply }),
    finalizeBlock: ({ txs, height }) => {
      const next = new Map(tally.txs)
      let { hash } = tally
      const powers = new Map(tally.powers)
      const txResults = []
      for (const tx of txs) {
        const text = bytesToUtf8(tx)
        const good = GOOD.test(text) && !next.has(text)
        txResults.push({
          code: good ? 0 : REFUSED,
          events: [{ type: 'tally', attributes: [{ key: 'name', value: text, index: true }] }],
        })
        if (!good) continue
        next.set(text, height)
        hash = count(text, { hash, powers })
      }
      pending = { height, hash, txs: next, powers }
      const changes = paramsEvery > 0 && height % paramsEvery === 0
      return {
        txResults,
        appHash: hash,
        validatorUpdates: updates(tally.powers, powers),
        ...(changes ? { consensusParamUpdates: paramsAt(height) } : {}),
      }
    },
    commit: () => {
      tally = pending ?? tally
      home.save(tally)
      if (snapshotsEvery > 0 && tally.height % snapshotsEvery === 0) snapshots.make(tally)
      return keepBlocks === 0 ? {} : { retainHeight: Math.max(0, tally.height - keepBlocks + 1) }
    },
  }
}

/** Changes the power of a validator. A power of 0 removes the validator, unless no other validator is left. */
function change(powers: Map<string, bigint>, key: string, power: bigint): void {
  if (power > 0n) powers.set(key, power)
  else if (powers.has(key) && powers.size > 1) powers.delete(key)
}

/** Returns one update for each validator whose power has changed. */
function updates(before: ReadonlyMap<string, bigint>, after: ReadonlyMap<string, bigint>) {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => {
      const bytes = hexToBytes(key) ?? new Uint8Array(0)
      return { pubKey: { type: 'ed25519', bytes } as const, power: after.get(key) ?? 0n }
    })
}
