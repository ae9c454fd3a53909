import type { State } from '@org/types'
import { addressOf, type PublicKey } from '@org/types/crypto'
import type { Time } from '@org/types/time'
import { type Core, newStep, scheduleTimeout } from './core.ts'
import { MACHINE_ERRORS, MachineError } from './errors.ts'
import type { Committed } from './input.ts'
import { commitWaitOf, type MachineOptions } from './options.ts'
import { type Decision, extensionsEnabled, nextHeight, type RoundState } from './round-state.ts'
import { RoundStep } from './round-step.ts'
import { HeightVoteSet, type StoredCommit, type VerifySignature, voteSetFromCommit } from './votes/index.ts'

/** The data from which the machine begins the height after the last block. */
export interface InitialState {
  readonly chain: State
  /** The stored commit of the last block; `undefined` only before the first block. */
  readonly lastCommit: StoredCommit | undefined
  /** The app hash in the last block's header; `undefined` if the block is not stored. */
  readonly lastHeaderAppHash: Uint8Array | undefined
  readonly publicKey: PublicKey | undefined
  readonly time: Time
}

function freshRounds(chain: State, verify: VerifySignature) {
  const height = nextHeight(chain)
  return {
    height,
    round: 0,
    step: RoundStep.newHeight,
    validators: chain.validators,
    proposal: undefined,
    incoming: undefined,
    locked: undefined,
    valid: undefined,
    votes: new HeightVoteSet({
      chainId: chain.chainId,
      height,
      validators: chain.validators,
      extended: extensionsEnabled(chain, height),
      verify,
    }),
    decision: undefined,
    lastValidators: chain.lastValidators,
    triggeredTimeoutPrecommit: false,
    chain,
  } satisfies Partial<RoundState>
}

const addressOfSigner = (publicKey: PublicKey | undefined): Uint8Array | undefined =>
  publicKey === undefined ? undefined : addressOf(publicKey)

/**
 * Returns the state of the machine at the start of the next height after `chain`, the state of the chain. Throws
 * `CONSENSUS_LAST_COMMIT` if the stored commit of the last block is missing or invalid.
 */
export function createRoundState(
  { chain, lastCommit, lastHeaderAppHash, publicKey, time }: InitialState,
  { options, verify }: { readonly options: MachineOptions; readonly verify: VerifySignature },
): RoundState {
  const common = { chainId: chain.chainId, validators: chain.lastValidators, verify }
  if (chain.lastBlockHeight > 0 && lastCommit?.commit.height !== chain.lastBlockHeight) {
    const data = { height: chain.lastBlockHeight, found: lastCommit?.commit.height }
    const message = `the commit for height ${chain.lastBlockHeight} is not stored`
    throw new MachineError(MACHINE_ERRORS.lastCommit, message, { data })
  }
  return {
    ...freshRounds(chain, verify),
    // This process has not decided a block yet, so the height begins after the full `timeoutCommit`, in which
    // transactions can arrive.
    startTime: time + commitWaitOf(options),
    commitTime: undefined,
    lastCommit:
      lastCommit === undefined || chain.lastBlockHeight === 0 ? undefined : voteSetFromCommit(lastCommit, common),
    lastHeaderAppHash,
    signerAddress: addressOfSigner(publicKey),
  }
}

/** Enters the height after the block that was just committed. */
export function enterNextHeight(
  core: Core,
  { precommits, time }: Decision,
  { state: chain, publicKey }: Committed,
): void {
  const { state, options } = core
  if (chain.lastBlockHeight !== state.height) {
    const message = `expected a state of height ${state.height}, got a state of height ${chain.lastBlockHeight}`
    throw new MachineError(MACHINE_ERRORS.stateMismatch, message)
  }
  const lastHeaderAppHash = state.incoming?.block?.header.appHash
  Object.assign(state, freshRounds(chain, core.verify), {
    lastCommit: precommits,
    lastHeaderAppHash,
    startTime: time + commitWaitOf(options),
    signerAddress: addressOfSigner(publicKey),
  })
  newStep(core)
  scheduleRound0(core)
}

/** Schedules the beginning of round 0 for the time `startTime` in the round state. */
export function scheduleRound0(core: Core): void {
  scheduleTimeout(core, core.state.startTime - core.now(), { round: 0, step: RoundStep.newHeight })
}
