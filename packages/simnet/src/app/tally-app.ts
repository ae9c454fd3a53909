import type { Application } from '@org/abci'
import { ProposalStatus, VerifyStatus } from '@org/types/abci'
import { bytesToUtf8, concatBytes, hexToBytes, utf8ToBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import type { AppHome } from './app-home.ts'

interface Tally {
  readonly height: number
  readonly hash: Uint8Array
  /** Height at which each transaction was committed. */
  readonly txs: ReadonlyMap<string, number>
}

const EMPTY: Tally = { height: 0, hash: new Uint8Array(0), txs: new Map() }
const VALIDATOR = /^val:([0-9a-f]{64})!(\d+)$/i
const GOOD = /^(tx:[\w-]+|val:[0-9a-f]{64}!\d+(:[\w-]+)?)$/i
/** A rejected transaction stays in a block that a proposer with other rules made: its result has this code. */
const REFUSED = 1

export interface TallyOptions {
  /** Votes carry extensions, and those of the height before stand in each block. */
  readonly extensions?: boolean
}

/**
 * The application of simulated networks. `tx:<name>` is counted once, `val:<ed25519 key in hex>!<power>:<name>` changes a validator. Its
 * hash covers all transactions in order. What Commit has stored survives.
 */
export function createTallyApp(home: AppHome, { extensions = false }: TallyOptions = {}): Application {
  let tally = (home.load() as Tally | undefined) ?? EMPTY
  let pending: Tally | undefined

  const isGood = (tx: Uint8Array): boolean => {
    const text = bytesToUtf8(tx)
    return GOOD.test(text) && !tally.txs.has(text)
  }

  function isUnique(txs: readonly Uint8Array[]): boolean {
    return new Set(txs.map(bytesToUtf8)).size === txs.length
  }

  return {
    info: () => ({ lastBlockHeight: tally.height, lastBlockAppHash: tally.hash }),
    query: ({ data }) => {
      const at = tally.txs.get(bytesToUtf8(data))
      return { height: tally.height, value: utf8ToBytes(at === undefined ? '' : String(at)) }
    },
    initChain: () => ({}),
    checkTx: ({ tx }) => ({ code: isGood(tx) ? 0 : REFUSED }),
    prepareProposal: ({ txs }) => ({ txs: txs.filter(isGood) }),
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
    finalizeBlock: ({ txs, height }) => {
      const next = new Map(tally.txs)
      let { hash } = tally
      const validatorUpdates = []
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
        hash = sha256(concatBytes(hash, tx))
        const [, key, power] = VALIDATOR.exec(text.split(':').slice(0, 2).join(':')) ?? []
        if (key === undefined) continue
        const bytes = hexToBytes(key) ?? new Uint8Array(0)
        validatorUpdates.push({ pubKey: { type: 'ed25519', bytes } as const, power: BigInt(power ?? 0) })
      }
      pending = { height, hash, txs: next }
      return { txResults, appHash: hash, validatorUpdates }
    },
    commit: () => {
      tally = pending ?? tally
      home.save(tally)
      return {}
    },
  }
}
