import type { PlantedBug } from '../planted-bug.ts'
import { driver, ENGINE, execution, machine } from './paths.ts'

/**
 * Bugs in the rules of consensus, in the defence against faulty validators and wrong clocks, in pruning, and in changes
 * of parameters.
 */
export const CONSENSUS_MUTANTS: readonly PlantedBug[] = [
  // Bugs in the rules of consensus.
  {
    name: 'lock-skipped',
    about: 'a validator prevotes the proposal although it is locked on another block',
    file: machine('prevote.ts'),
    find: 'if (locked !== undefined) return',
    replace: 'if (locked !== undefined && incoming?.block === undefined) return',
  },
  {
    name: 'lock-forgotten',
    about: 'a new round forgets the lock',
    file: machine('new-round.ts'),
    find: '    state.proposal = undefined\n',
    replace: '    state.proposal = undefined\n    state.locked = undefined\n',
  },
  {
    name: 'parts-not-compared',
    about: 'a block with another part set counts as the block of a polka or a commit',
    file: machine('core.ts'),
    find: 'equalBytes(candidate.hash, hash) && candidate.parts.hasHeader(partSetHeader)',
    replace: 'equalBytes(candidate.hash, hash)',
    also: {
      file: machine('core.ts'),
      find: 'state.incoming = { parts: ',
      replace: 'state.incoming = { ...state.incoming, parts: ',
    },
  },
  {
    name: 'stale-pol',
    about: 'an old polka releases a validator from a later lock',
    file: machine('tally.ts'),
    find: 'locked.round < round && round <= state.round',
    replace: 'round <= state.round',
  },
  {
    name: 'pol-not-checked',
    about: 'a proposal counts as complete without the prevotes of its POL round',
    file: machine('propose.ts'),
    find: 'return proposal.polRound < 0 || votes.prevotes(proposal.polRound)?.majority !== undefined',
    replace: 'return proposal.polRound < 0 || votes.prevotes(proposal.polRound) !== undefined',
  },
  {
    name: 'power-half',
    about: 'more than half of the power is enough for a polka or a commit',
    file: machine('votes/vote-set.ts'),
    find: 'const quorum = (this.#total * 2n) / 3n + 1n',
    replace: 'const quorum = this.#total / 2n + 1n',
  },
  {
    name: 'power-heads',
    about: 'the number of validators counts, and not their power',
    file: machine('votes/vote-set.ts'),
    find: '    addToBlockVotes(votes, vote, votingPower)\n',
    replace:
      '    addToBlockVotes(votes, vote, this.#total / BigInt(this.size) + 1n > votingPower ? this.#total / BigInt(this.size) + 1n : votingPower)\n',
  },
  {
    name: 'conflict-counts',
    about: 'the second, conflicting vote of a validator counts, too',
    file: machine('votes/vote-set.ts'),
    find: 'if (existing !== undefined && (votes?.claims ?? 0) === 0) return',
    replace: 'if (existing !== undefined && votes?.claims === undefined && votes !== undefined) return',
  },
  {
    name: 'own-vote-back-ignored',
    about: 'an own prevote that peers sent back does not end the step, so a restarted node waits for ever',
    file: machine('add-vote.ts'),
    find: 'if (!isNew && received.peerId !== OWN) return',
    replace: 'if (!isNew) return',
  },
  {
    name: 'no-prevote-wait',
    about: 'the timeout for the missing prevotes does not begin, so a round without a polka never continues',
    file: machine('prevote.ts'),
    find: '  scheduleTimeout(core, timeout, { round, step: RoundStep.prevoteWait })\n',
    replace: '',
  },
  {
    name: 'no-precommit-wait',
    about: 'a round that decides nothing never ends',
    file: machine('precommit.ts'),
    find: '  scheduleTimeout(core, timeout, { round, step: RoundStep.precommitWait })\n',
    replace: '',
  },
  {
    name: 'proposer-skips',
    about: 'after a skip of rounds, the new round has the wrong proposer',
    file: machine('new-round.ts'),
    find: 'copyIncrementProposerPriority(state.validators, round - state.round)',
    replace: 'copyIncrementProposerPriority(state.validators, 1)',
  },
  {
    name: 'updates-early',
    about: 'changes of validators are in force a height too early',
    file: execution('update-state.ts'),
    find: '    validators: state.nextValidators,\n',
    replace: '    validators: nextValidators(state, validatorUpdates),\n',
  },
  {
    name: 'block-not-validated',
    about: 'a validator prevotes every block that the application accepts',
    file: driver('perform-call.ts'),
    find: 'value: await findFault(() => executor.validateBlock(chain, call.block, check))',
    replace: 'value: void [findFault, check]',
  },
  // Bugs in the defence against faulty validators and wrong clocks.
  {
    name: 'vals-changed-height',
    about: 'the recorded height from which a changed set is in force is one too low',
    file: execution('update-state.ts'),
    find: 'header.height + 2 : state',
    replace: 'header.height + 1 : state',
  },
  {
    name: 'ext-sig-not-verified',
    about: 'the signatures of vote extensions are not verified',
    file: machine('votes/verify.ts'),
    find: 'return extended && isPrecommitForBlock(vote)\n    ? [voteSignature, [',
    replace: 'return extended && isPrecommitForBlock(vote) && vote.height < 0\n    ? [voteSignature, [',
  },
  {
    name: 'vote-time-not-after-block',
    about: 'a validator with a slow clock votes with a time before the time of the block',
    file: machine('sign.ts'),
    find: 'return now() > earliest ? now() : earliest',
    replace: 'return now() > 0n ? now() : earliest',
  },
  {
    name: 'valid-not-reproposed',
    about: 'a new block is proposed with the proof of lock of another block',
    file: machine('propose.ts'),
    find: 'const chosen = state.valid ?? (yield* createBlock(core))',
    replace: 'const chosen = state.locked ?? (yield* createBlock(core))',
  },
  {
    name: 'any-extension-accepted',
    about: 'the application is not asked about vote extensions',
    file: machine('add-vote.ts'),
    find: "if (!(yield* callDriver({ type: 'verifyVoteExtension', vote }))) {",
    replace: 'if (vote.height < 0) {',
  },
  {
    name: 'median-time-not-checked',
    about: 'a block may have any time after the time of the last block',
    file: execution('validate-block.ts'),
    find: 'if (time !== median) fail(',
    replace: 'if (time !== median && time < 0n) fail(',
  },
  {
    name: 'last-commit-not-verified',
    about: 'the signatures of the last commit of a block are not verified',
    file: execution('validate-block.ts'),
    find: 'await validation.verifyLastCommit?.(state, block)',
    replace: 'void 0',
  },
  {
    name: 'signature-not-verified',
    about: 'neither the machine nor the gate before it verifies the signatures of votes',
    file: machine('votes/verify.ts'),
    find: 'return valid ? undefined : VOTE_REFUSALS.invalidSignature',
    replace: 'return valid || vote.height > 0 ? undefined : VOTE_REFUSALS.invalidSignature',
    also: {
      file: driver('signature-gate.ts'),
      find: 'admit: async (item, state, isPaid) => {',
      replace: "admit: async (item, state, isPaid) => {\n      if (state.height > 0) return 'pass'",
    },
  },
  // Bugs in pruning, and in changes of parameters.
  {
    name: 'pruned-one-more',
    about: 'the first block that must be kept is removed as well',
    file: `${ENGINE}/store/block-pruning.ts`,
    find: 'for (let at = base; at < retainHeight; at++) {',
    replace: 'for (let at = base; at <= retainHeight; at++) {',
  },
  {
    name: 'pruned-set-needed',
    about: 'validator sets are removed although later heights refer to them',
    file: `${ENGINE}/store/state-pruning.ts`,
    find: '  if (validators.validatorSet === undefined) {\n',
    replace: '  if (validators.validatorSet === undefined && to < 0) {\n',
  },
  {
    name: 'nothing-pruned',
    about: 'blocks below the retain height of the application are not removed',
    file: execution('commit/commit-actions.ts'),
    find: '    if (retainHeight > 0) await pruneTo(',
    replace: '    if (retainHeight > height) await pruneTo(',
  },
  {
    name: 'params-changed-height',
    about: 'the recorded height from which changed parameters are in force is one too low',
    file: execution('update-state.ts'),
    find: 'state.lastHeightConsensusParamsChanged : header.height + 1,',
    replace: 'state.lastHeightConsensusParamsChanged : header.height,',
  },
  {
    name: 'index-not-pruned',
    about: 'index entries of removed blocks stay',
    file: execution('prune.ts'),
    find: '    await indexer?.prune?.(retainHeight)\n',
    replace: '',
  },
  {
    name: 'index-pruned-one-more',
    about: 'index entries of the first kept block are removed as well',
    file: execution('prune.ts'),
    find: 'indexer?.prune?.(retainHeight)',
    replace: 'indexer?.prune?.(retainHeight + 1)',
  },
]
