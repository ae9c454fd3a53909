import type { Logger } from '@org/runtime'
import { isCodedError, messageOf } from '@org/runtime'
import { extendedCommitToCommit, totalVotingPower, validatorByAddress } from '@org/types'
import { PRIVVAL_ERRORS, type PrivValidator, type SignOptions } from '../../privval/index.ts'
import type { Call, ConsensusMessage, Result, RoundState } from '../machine/index.ts'
import { MAX_LOGGED_MESSAGE, type Wal } from '../wal/index.ts'
import { CONSENSUS_ERRORS, ConsensusError, failingAs } from './errors.ts'
import type { Outbox } from './outbox.ts'
import type { ConsensusModules } from './ports.ts'
import { signedItemsOf } from './signatures.ts'
import { endHeightRecord } from './wal-records.ts'

export interface CallContext {
  readonly modules: ConsensusModules
  readonly wal: Wal
  readonly state: Readonly<RoundState>
  readonly outbox: Outbox
  /** Aborts when consensus stops. */
  readonly signal: AbortSignal
}

type CommitCall = Extract<Call, { type: 'commitBlock' }>

/**
 * Performs a call of the machine and returns its result. If the call fails and consensus cannot continue without the
 * result, throws a `ConsensusError`.
 */
export async function performCall(call: Call, context: CallContext): Promise<Result> {
  const { executor } = context.modules
  const { chain } = context.state
  const execution = <T>(what: string, run: () => Promise<T>): Promise<T> =>
    failingAs(CONSENSUS_ERRORS.execution, what, run)
  switch (call.type) {
    case 'createProposalBlock': {
      const { height, lastExtendedCommit, proposerAddress } = call
      const request = { height, state: chain, lastExtendedCommit, proposerAddress }
      const value = await execution('creating a proposal failed', () => executor.createProposalBlock(request))
      return { type: call.type, value }
    }
    case 'validateBlock': {
      const check = call.isAgreed ? { agreed: { signal: context.signal } } : {}
      return { type: call.type, value: await findFault(() => executor.validateBlock(chain, call.block, check)) }
    }
    case 'processProposal': {
      const value = await execution('processing a proposal failed', () => executor.processProposal(call.block, chain))
      return { type: call.type, value }
    }
    case 'extendVote': {
      const { vote, block } = call
      const value = await execution('extending a vote failed', () => executor.extendVote(vote, block, chain))
      checkExtensionSize(value)
      return { type: call.type, value }
    }
    case 'verifyVoteExtension': {
      const value = await execution('verifying a vote extension failed', () => executor.verifyVoteExtension(call.vote))
      return { type: call.type, value }
    }
    case 'signProposal': {
      const value = await sign(context, (privval, options) =>
        privval.signProposal(chain.chainId, call.proposal, options),
      )
      rememberOwn(context, value === undefined ? undefined : { kind: 'proposal', proposal: value })
      return { type: call.type, value }
    }
    case 'signVote': {
      const { vote, withExtension } = call
      const value = await sign(context, (privval, options) =>
        privval.signVote(chain.chainId, vote, { ...options, withExtension }),
      )
      rememberOwn(context, value === undefined ? undefined : { kind: 'vote', vote: value })
      return { type: call.type, value }
    }
    case 'commitBlock':
      return { type: call.type, value: await commit(call, context) }
  }
}

/**
 * The maximum number of bytes of a vote without its extension: hashes, signatures, an address and numbers, with a
 * margin.
 */
const VOTE_WITHOUT_EXTENSION = 1024
const MAX_EXTENSION = MAX_LOGGED_MESSAGE - VOTE_WITHOUT_EXTENSION

/** Throws a `ConsensusError` for an extension that peers would refuse, or that does not fit into the WAL. */
function checkExtensionSize({ length }: Uint8Array): void {
  if (length <= MAX_EXTENSION) return
  throw new ConsensusError(
    CONSENSUS_ERRORS.extension,
    `the application's ExtendVote answered with an extension of ${length} bytes; the limit is ${MAX_EXTENSION}: make the extension shorter`,
    { data: { size: length, limit: MAX_EXTENSION } },
  )
}

async function findFault(validate: () => Promise<void>): Promise<string | undefined> {
  try {
    await validate()
    return undefined
  } catch (error) {
    if (isCodedError(error)) return error.message
    throw error
  }
}

/**
 * Signs a message. All data that the signature depends on must be on disk before the sign state on disk contains the
 * signature. Otherwise a crash could lose the data but keep the sign state. After the restart, this node would make
 * another message for the same step, and the signer would refuse it. If this node is the chain's only validator, the
 * chain would stop. A signer with `makeDurable` saves its state later, when the outbox makes everything durable, after
 * the sync of the WAL.
 */
async function sign<T>(
  { modules, wal, state, outbox }: CallContext,
  run: (privval: PrivValidator, options: SignOptions) => Promise<T>,
): Promise<T | undefined> {
  const { privval, logger } = modules
  if (privval === undefined) return undefined
  const deferred = privval.makeDurable !== undefined
  if (deferred) outbox.markDirty()
  else await failingAs(CONSENSUS_ERRORS.wal, 'the WAL cannot be written', () => wal.sync())
  try {
    return await run(privval, deferred ? { deferred } : { retryForever: isNeeded(state) })
  } catch (error) {
    if (isCodedError(error, PRIVVAL_ERRORS.io)) {
      return failingAs(CONSENSUS_ERRORS.signer, 'the signer failed', () => Promise.reject(error))
    }
    // If the signer refuses, this node sends no vote or proposal in this step, and the other validators continue.
    if (!isCodedError(error, PRIVVAL_ERRORS.closed)) logSilence(logger, state, error)
    return undefined
  }
}

/**
 * Returns true if the chain cannot continue without this validator, because the other validators do not have more than
 * 2/3 of the power.
 */
function isNeeded({ signerAddress, validators }: Readonly<RoundState>): boolean {
  const ownValidator =
    signerAddress === undefined ? undefined : validatorByAddress(validators, signerAddress)?.validator
  return ownValidator !== undefined && 3n * ownValidator.votingPower >= totalVotingPower(validators)
}

/**
 * Remembers the signatures of a message that this process signed. So the machine and the check of the next block's
 * commit need not verify these signatures.
 */
function rememberOwn({ modules, state }: CallContext, message: ConsensusMessage | undefined): void {
  if (message === undefined || modules.privval?.isLocal !== true) return
  for (const item of signedItemsOf(message, state)) modules.verifiedVotes.remember(item)
}

function logSilence(logger: Logger, { height, round, step }: Readonly<RoundState>, error: unknown): void {
  const err = messageOf(error)
  const code = isCodedError(error) ? { code: error.code } : {}
  logger.error('The signer refused to sign', { height, round, step, err, ...code })
}

async function commit(call: CommitCall, { modules, wal, state, outbox }: CallContext) {
  const { executor, clock, privval } = modules
  const { block, blockId } = call
  const { height } = block.header
  const failing = <T>(run: () => Promise<T>): Promise<T> =>
    failingAs(CONSENSUS_ERRORS.execution, `block ${height} cannot be executed`, run)
  // A remote signer may have changed its key. The machine uses the new key from the next height on.
  const refreshed = privval?.refresh?.()
  const next = await failing(() =>
    executor.applyBlock({
      state: state.chain,
      blockId,
      block,
      steps: {
        'sync-signed': outbox.makeDurable,
        'save-block': () => saveBlock(call, modules),
        'mark-height': () => wal.append(endHeightRecord(height), clock.now()),
      },
      show: outbox.publishBlock,
    }),
  )
  outbox.holdEventsUntil(failing(executor.durable))
  if (refreshed !== undefined) await refreshed
  return { state: next, publicKey: privval?.pubKey() }
}

async function saveBlock({ block, parts, seenCommit, extended }: CommitCall, modules: ConsensusModules): Promise<void> {
  const { blockStore } = modules
  // If the node stopped between saving the block and finishing the height, the block is stored already.
  if (blockStore.height() >= block.header.height) return
  await failingAs(CONSENSUS_ERRORS.store, 'the block cannot be saved', () =>
    extended
      ? blockStore.saveBlockWithExtendedCommit({ block, parts, extendedCommit: seenCommit })
      : blockStore.saveBlock({ block, parts, seenCommit: extendedCommitToCommit(seenCommit) }),
  )
}
