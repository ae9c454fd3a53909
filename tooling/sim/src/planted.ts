import type { Mutant } from './mutant.ts'

const ENGINE = 'packages/engine/src'
const machine = (file: string): string => `${ENGINE}/consensus/machine/${file}`
const driver = (file: string): string => `${ENGINE}/consensus/driver/${file}`
const execution = (file: string): string => `${ENGINE}/execution/${file}`

/** Bugs that must not stay unseen. Each is one that somebody could make, or a forced write that was saved one too often. */
export const MUTANTS: readonly Mutant[] = [
  // What is forced to disk.
  {
    name: 'wal-not-synced',
    about: 'what this node says leaves before the log is on disk',
    file: driver('driver.ts'),
    find: '() => log().sync())',
    replace: '() => log().flush())',
  },
  {
    name: 'signer-not-settled',
    about: 'what this node signs is shown before the signer remembers it on disk',
    file: driver('driver.ts'),
    find: 'modules.privval?.settle?.(synced))',
    replace: 'undefined)',
  },
  {
    name: 'signer-before-wal',
    about: 'the signer remembers before the log does',
    file: driver('driver.ts'),
    find: 'modules.privval?.settle?.(synced))',
    replace: 'modules.privval?.settle?.())',
  },
  {
    name: 'outbox-open',
    about: 'votes are gossiped before they are on disk',
    file: driver('outbox.ts'),
    find: 'const isSettled = (): boolean => durable === touched',
    replace: 'const isSettled = (): boolean => true',
  },
  {
    name: 'signer-file-not-synced',
    about: 'the new signer state takes the place of the old before its bytes are on disk',
    file: `${ENGINE}/privval/atomic-file.ts`,
    find: '    await file.sync()\n',
    replace: '',
  },
  {
    name: 'block-not-synced',
    about: 'a decided block is not forced to disk',
    file: `${ENGINE}/store/block-store.ts`,
    find: 'BlockStoreState.encode(next))], { sync: true })',
    replace: 'BlockStoreState.encode(next))])',
  },
  {
    name: 'responses-not-synced',
    about: "the application's answers are not forced to disk",
    file: `${ENGINE}/store/state-store.ts`,
    find: 'lane(() => db.write(ops, { sync: true }))',
    replace: 'lane(() => db.write(ops))',
  },
  {
    name: 'state-not-synced',
    about: 'the state after a block is not forced to disk',
    file: `${ENGINE}/store/state-store.ts`,
    find: '    await db.write(ops, { sync: true })\n    forget(next, next + 1)',
    replace: '    await db.write(ops)\n    forget(next, next + 1)',
  },
  {
    name: 'commit-before-block',
    about: 'the application commits a block that is not on disk',
    file: execution('apply-block.ts'),
    find: 'await allDone([executed, given.stored ?? Promise.resolve()])',
    replace: 'await allDone([executed])',
  },
  {
    name: 'state-before-commit',
    about: 'the state is saved before the application commits',
    file: execution('apply-block.ts'),
    find: '  const retainHeight = await commit(',
    replace: '  await stateStore.save({ ...pending, appHash: response.appHash })\n  const retainHeight = await commit(',
  },
  {
    name: 'publish-before-index',
    about: 'a block is told before its transactions are found',
    file: execution('apply-block.ts'),
    find: "    (indexer?.index(block, response) ?? Promise.resolve()).then(() => onStep?.('indexed')),",
    replace: '    Promise.resolve(void indexer?.index(block, response)),',
  },
  {
    name: 'last-block-not-indexed',
    about: 'a start does not index the block whose entries a crash took',
    file: execution('handshake/handshake.ts'),
    find: 'if (indexer?.hasBlock?.(height) !== false) return',
    replace: 'if (indexer !== undefined) return',
  },
  // What a crash leaves.
  {
    name: 'torn-log-kept',
    about: 'a torn end of the log is not cut off',
    file: `${ENGINE}/consensus/wal/tail.ts`,
    find: '  await disk.truncate(path, offset)\n',
    replace: '',
  },
  {
    name: 'log-not-replayed',
    about: 'a start forgets what the log says of the height',
    file: driver('replay.ts'),
    find: 'messages.map(inputFromRecord).filter((input) => input !== undefined)',
    replace: '[] as Exclude<ReturnType<typeof inputFromRecord>, undefined>[]',
  },
  {
    name: 'end-mark-missing',
    about: 'the end of a height is not marked in the log',
    file: driver('calls.ts'),
    find: '    wal.append(endHeightRecord(height), clock.now())\n',
    replace: '',
  },
  {
    name: 'app-not-replayed',
    about: 'a start leaves the application behind the stores',
    file: execution('handshake/handshake.ts'),
    find: '  if (heights.app < to) {',
    replace: '  if (heights.app < to - 1_000_000) {',
  },
  {
    name: 'mock-app-not-used',
    about: 'a block that the application has committed is given to it again',
    file: execution('handshake/handshake.ts'),
    find: '  if (stateIsBehind && heights.app === heights.store) {',
    replace: '  if (stateIsBehind && heights.app === heights.store + 1) {',
  },
  // The rules of consensus.
  {
    name: 'lock-skipped',
    about: 'a validator prevotes the proposal although it is locked on another block',
    file: machine('prevote.ts'),
    find: 'if (locked !== undefined) return',
    replace: 'if (locked !== undefined && proposalBlock === undefined) return',
  },
  {
    name: 'lock-forgotten',
    about: 'a new round forgets the lock',
    file: machine('new-round.ts'),
    find: '    state.proposal = undefined\n',
    replace: '    state.proposal = undefined\n    state.locked = undefined\n',
  },
  {
    name: 'stale-pol',
    about: 'an old polka frees a validator from a later lock',
    file: machine('tally.ts'),
    find: 'locked.round < round && round <= state.round',
    replace: 'round <= state.round',
  },
  {
    name: 'pol-not-checked',
    about: 'a proposal is whole without the prevotes that it appeals to',
    file: machine('propose.ts'),
    find: 'return proposal.polRound < 0 || votes.prevotes(proposal.polRound)?.majority !== undefined',
    replace: 'return proposal.polRound < 0 || votes.prevotes(proposal.polRound) !== undefined',
  },
  {
    name: 'power-half',
    about: 'half of the power is enough',
    file: machine('votes/vote-set.ts'),
    find: 'const quorum = (this.#total * 2n) / 3n + 1n',
    replace: 'const quorum = this.#total / 2n + 1n',
  },
  {
    name: 'power-heads',
    about: 'validators are counted, not their power',
    file: machine('votes/vote-set.ts'),
    find: '    addToBlockVotes(votes, vote, votingPower)\n',
    replace:
      '    addToBlockVotes(votes, vote, this.#total / BigInt(this.size) + 1n > votingPower ? this.#total / BigInt(this.size) + 1n : votingPower)\n',
  },
  {
    name: 'conflict-counts',
    about: 'the second vote of a validator counts as well',
    file: machine('votes/vote-set.ts'),
    find: 'if (existing !== undefined && votes?.peerMaj23 !== true) return',
    replace: 'if (existing !== undefined && votes?.peerMaj23 === undefined && votes !== undefined) return',
  },
  {
    name: 'no-prevote-wait',
    about: 'nobody waits for the rest of the prevotes, so nobody goes on without them',
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
    about: 'a round that is skipped to has the wrong proposer',
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
    about: 'any block is prevoted that the application accepts',
    file: driver('calls.ts'),
    find: 'value: await findFault(() => executor.validateBlock(chain, call.block))',
    replace: 'value: undefined',
  },
  // What peers are told.
  {
    name: 'sent-though-not',
    about: 'a vote that could not be sent is noted as sent, and the wait for room is over at once',
    file: `${ENGINE}/consensus/gossip/sending.ts`,
    find: '    if (!sent) return\n',
    replace: '',
  },
  {
    name: 'no-catch-up',
    about: 'peers that are behind get no blocks',
    file: `${ENGINE}/consensus/gossip/next-data.ts`,
    find: '    return partForCatchup(peer, blockStore, random)\n',
    replace: '    return undefined\n',
  },
  {
    name: 'evidence-kept-back',
    about: 'a proven double sign is never put into a block',
    file: `${ENGINE}/evidence/pool.ts`,
    find: '      for (const entry of pending) {\n',
    replace: '      for (const entry of pending.slice(0, 0)) {\n',
  },
  {
    name: 'evidence-raced',
    about:
      'evidence that comes again while its block is being noted becomes pending, and is not held against the blocks',
    file: `${ENGINE}/evidence/pool.ts`,
    find: '    marking.has(evidenceId(evidence)) || db.has(committedKey(evidence))',
    replace: '    !isPending(evidence) && db.has(committedKey(evidence))',
  },
  {
    name: 'evidence-twice',
    about: 'evidence that a block has stays pending',
    file: `${ENGINE}/evidence/pool.ts`,
    find: '        const op = removePending(evidence)\n',
    replace: '        const op = undefined as ReturnType<typeof removePending>\n',
  },
  // What is kept in memory.
  {
    name: 'peer-state-kept',
    about: 'what is known of a peer that left is kept',
    file: `${ENGINE}/consensus/gossip/reactor.ts`,
    find: '        entries.get(id)?.stop()\n        entries.delete(id)\n',
    replace: '        entries.get(id)?.stop()\n',
  },
  {
    name: 'sender-kept',
    about: 'the number of a peer that left is never free again',
    file: `${ENGINE}/mempool/gossip/sender-ids.ts`,
    find: '      taken.delete(byPeer.get(peerId) ?? 0)\n',
    replace: '',
  },
]
