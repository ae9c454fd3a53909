import { hashTx, type Validator } from '@org/types'
import type { RequestProcessProposal, RequestVerifyVoteExtension } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'

/**
 * Finds out whether a height can no longer be decided, because applications refuse its proposals or vote extensions
 * again and again.
 */
export interface Refusals {
  /** To be called when the application of the validator `name` refused a proposal. */
  readonly addProposal: (name: string, request: RequestProcessProposal) => void
  /** To be called when the application of the validator `name` refused the vote extension of another validator. */
  readonly addExtension: (name: string, request: RequestVerifyVoteExtension) => void
  /**
   * Returns the height that cannot be decided; `undefined` as long as every height may still be decided. There are two
   * reasons why a height cannot be decided:
   * - Enough proposals for this height were refused.
   * - Too many vote extensions were refused at the height before. The validators that refused them stay at that height,
   *   so too few validators reach this height.
   */
  readonly height: () => number | undefined
  /** True if proposals were refused, not only extensions. */
  readonly hasProposals: () => boolean
  /**
   * Returns a text for an error: which validators' applications refused which proposals or vote extensions at `height`
   * or above. Returns `undefined` if nothing was refused at these heights.
   */
  readonly describe: (height: number) => string | undefined
  readonly clear: () => void
}

export interface RefusalsModules {
  /** Returns the name of the validator with this address. */
  readonly nameOf: (address: Uint8Array) => string
  /** Returns the consensus state of the validator with this name. */
  readonly stateOf: (name: string) => ConsensusState | undefined
}

export interface ConsensusState {
  readonly round: number
  readonly validators: readonly Pick<Validator, 'address' | 'votingPower'>[]
}

/** A validator that refused extensions in a round. */
interface Refuser {
  readonly name: string
  readonly round: number
  /** The names of the validators whose extensions this validator refused. */
  readonly whose: Set<string>
  readonly state: ConsensusState
}

/**
 * The least number of refused proposals after which a height may count as impossible to decide. An application may
 * refuse a single proposal because of the block's time.
 */
const MIN_PROPOSALS = 3
/** The maximum number of rounds that an error text lists. It is also the maximum number of validators in the text. */
const MAX_LISTED = 10

/** The refused proposals of a height. */
interface RefusedProposals {
  readonly height: number
  readonly count: number
  readonly names: Iterable<string>
  readonly proposers: Iterable<string>
  readonly rounds: ReadonlySet<number>
  readonly lastTxs: readonly Uint8Array[]
}

function proposalsText({ height, count, names, proposers, rounds, lastTxs }: RefusedProposals): string {
  const [tx] = lastTxs
  const content =
    tx === undefined
      ? 'the last proposal has no transaction'
      : `the first transaction of the last proposal is ${bytesToHex(hashTx(tx))}`
  const refused = count === 1 ? 'the proposal' : `${count} proposals`
  return `${listed(names)} refused ${refused} for block ${height} in processProposal${inRounds(rounds)}, proposed by ${listed(proposers)}; ${content}`
}

function extensionsText(height: number, refusers: readonly Refuser[]): string {
  const byName = new Map<string, Set<string>>()
  for (const { name, whose } of refusers) byName.set(name, new Set([...(byName.get(name) ?? []), ...whose]))
  const texts = [...byName].map(([name, whose]) => `${name} refused the extensions of ${listed(whose)}`).sort()
  const more = texts.length - MAX_LISTED
  const end = more > 0 ? `; ${more} more validators refused extensions` : ''
  const rounds = new Set(refusers.map(({ round }) => round))
  return `vote extensions for block ${height} are refused in verifyVoteExtension${inRounds(rounds)}: ${texts.slice(0, MAX_LISTED).join('; ')}${end}`
}

/** Creates a {@link Refusals} without any refusal. The function `validators` returns the number of validators. */
export function createRefusals(validators: () => number, { nameOf, stateOf }: RefusalsModules): Refusals {
  let current = 0
  let lastTxs: readonly Uint8Array[] = []
  const proposers = new Set<string>()
  /**
   * By validator: the number of proposals of the present height that the validator refused. A block that is proposed in
   * two rounds counts twice.
   */
  const counts = new Map<string, number>()
  const rounds = new Set<number>()
  /** The refused extensions of the present height. The key names the validator that refused them, and the round. */
  const refusers = new Map<string, Refuser>()

  const proposals = (): number => [...counts.values()].reduce((most, count) => Math.max(most, count), 0)

  function areProposalsCertain(): boolean {
    if (proposals() < MIN_PROPOSALS) return false
    // The result is true if a proposal of each validator was refused. A validator with little power rarely proposes, so
    // many refused proposals of the other validators are enough too.
    return proposers.size >= validators() || proposals() >= MIN_PROPOSALS * validators()
  }

  /**
   * True if validators with a third of the power are stuck, so that the next height cannot be decided. A validator
   * becomes stuck when it refuses, in one round, the extensions of other validators that together have a third of the
   * power. A stuck validator does not count the votes of these other validators. So it never receives enough votes for
   * a decision or for the end of the round.
   */
  function areExtensionsCertain(): boolean {
    const stuck = new Set(
      [...refusers.values()].filter(({ whose, state }) => isThird(state, whose)).map(({ name }) => name),
    )
    const [any] = refusers.values()
    return any !== undefined && isThird(any.state, stuck)
  }

  function isThird({ validators }: ConsensusState, names: ReadonlySet<string>): boolean {
    const power = (counted: ConsensusState['validators']): bigint =>
      counted.reduce((sum, { votingPower }) => sum + votingPower, 0n)
    return 3n * power(validators.filter(({ address }) => names.has(nameOf(address)))) >= power(validators)
  }

  function clear(): void {
    current = 0
    proposers.clear()
    counts.clear()
    rounds.clear()
    refusers.clear()
  }

  /**
   * Returns true if a refusal at `height` must be recorded: `height` is not below the present height. If `height` is
   * greater than the present height, it becomes the present height, and the recorded refusals are removed. Returns
   * false for a lower height.
   */
  function isCurrent(height: number): boolean {
    if (height > current) clear()
    current = Math.max(height, current)
    return height === current
  }

  return {
    addProposal: (name, { height, proposerAddress, txs }) => {
      if (!isCurrent(height)) return
      lastTxs = txs
      proposers.add(nameOf(proposerAddress))
      counts.set(name, (counts.get(name) ?? 0) + 1)
      const state = stateOf(name)
      if (state !== undefined) rounds.add(state.round)
    },
    addExtension: (name, { height, validatorAddress }) => {
      if (!isCurrent(height)) return
      const state = stateOf(name)
      if (state === undefined) return
      const { round } = state
      const key = `${name} ${round}`
      const refuser = refusers.get(key) ?? { name, round, state, whose: new Set() }
      refusers.set(key, refuser)
      refuser.whose.add(nameOf(validatorAddress))
    },
    height: () => {
      if (areProposalsCertain()) return current
      // A validator that accepted all extensions may have decided this height. But the height after it cannot be
      // decided, because the other validators stay at this height.
      return areExtensionsCertain() ? current + 1 : undefined
    },
    hasProposals: () => proposers.size > 0,
    describe: (height) => {
      const last = areExtensionsCertain() ? current + 1 : current
      const texts = [
        ...(proposers.size > 0 && current >= height
          ? [proposalsText({ height: current, count: proposals(), names: counts.keys(), proposers, rounds, lastTxs })]
          : []),
        ...(refusers.size > 0 && last >= height ? [extensionsText(current, [...refusers.values()])] : []),
      ]
      return texts.length > 0 ? texts.join('. Also, ') : undefined
    },
    clear,
  }
}

function listed(names: Iterable<string>): string {
  const all = [...names].sort()
  const more = all.length - MAX_LISTED
  return more > 0 ? `${all.slice(0, MAX_LISTED).join(', ')} and ${more} more` : all.join(', ')
}

function inRounds(rounds: ReadonlySet<number>): string {
  const all = [...rounds].sort((a, b) => a - b)
  const [first, last] = [all[0], all.at(-1)]
  if (first === undefined || last === undefined) return ''
  if (first === last) return ` in round ${first}`
  if (last - first === all.length - 1) return ` in the rounds ${first} to ${last}`
  const more = all.length - MAX_LISTED
  return ` in the rounds ${all.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
