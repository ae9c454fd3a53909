import type { PlantedBug } from '../planted-bug.ts'
import { ENGINE, execution } from './paths.ts'

const LIGHT = 'packages/light/src'
const restore = (file: string): string => `${ENGINE}/statesync/restore/${file}`
const backfill = (file: string): string => `${ENGINE}/statesync/backfill/${file}`

/**
 * Bugs in state sync: in the choice and the proof of a snapshot, and in the data that a node stores after the restore.
 */
export const RESTORE_MUTANTS: readonly PlantedBug[] = [
  {
    name: 'false-snapshot-kept',
    about: 'the app hash after a restore is not compared with the chain',
    file: restore('app-calls.ts'),
    find: 'if (lastBlockHeight === expected.height && equalBytes(lastBlockAppHash, expected.appHash)) return',
    replace: 'if (lastBlockHeight === expected.height) return',
  },
  {
    name: 'false-snapshot-again',
    about: 'peers that offered a false snapshot are kept, and the snapshot is tried again',
    file: restore('give-up.ts'),
    find: "      for (const peer of pool.peersOf(snapshot)) rejectPeer(peer, 'the snapshot of this peer is not of this chain')\n      pool.reject(snapshot)\n",
    replace: '',
  },
  {
    name: 'second-request-forgotten',
    about: 'the second answer of a peer that was asked twice for a chunk is refused',
    file: restore('pending-requests.ts'),
    find: 'ofPeer.set(key, times + 1)',
    replace: 'ofPeer.set(key, 1)',
  },
  {
    name: 'chunk-request-dropped',
    about: 'a request for a chunk is dropped when the short queue of its channel is full',
    file: `${ENGINE}/p2p/join-network.ts`,
    find: 'peers.peer(id)?.send(chunk, chunkRequest(request))',
    replace: 'peers.peer(id)?.trySend(chunk, chunkRequest(request))',
  },
  {
    name: 'params-not-compared',
    about: 'parameters that a header does not prove are taken from one server',
    file: `${ENGINE}/statesync/provider/agreed-params.ts`,
    find: 'bytesToHex(ConsensusParams.encode(params)) !== bytes)',
    replace: 'bytesToHex(ConsensusParams.encode(params)) !== bytes && false)',
  },
  {
    name: 'priorities-not-compared',
    about: 'proposer priorities are taken from one server',
    file: `${LIGHT}/client/compare.ts`,
    find: "equalBytes(ours as Uint8Array, theirs as Uint8Array) ? 'match' : 'priorities'",
    replace: "equalBytes(ours as Uint8Array, ours as Uint8Array) ? 'match' : 'priorities'",
  },
  {
    name: 'low-priorities-not-compared',
    about: 'proposer priorities below the trusted height are taken from one server',
    file: 'packages/node-rpc/src/statesync/light-state-provider.ts',
    find: 'await checkPriorities(block, sources, signal)',
    replace: 'void [checkPriorities, sources]',
  },
  {
    name: 'restored-next-validators',
    about: 'a change of validators in the last block before a restore is lost',
    file: execution('bootstrap/state-from-blocks.ts'),
    find: 'nextValidators: next.validators',
    replace: 'nextValidators: current.validators',
  },
  {
    name: 'restored-results-hash',
    about: 'a restored state has the results hash of the height before',
    file: execution('bootstrap/state-from-blocks.ts'),
    find: 'lastResultsHash: current.header.lastResultsHash',
    replace: 'lastResultsHash: last.header.lastResultsHash',
  },
  {
    name: 'restored-params-height',
    about: 'a restored state names a height of its parameters that is not stored',
    file: execution('bootstrap/state-from-blocks.ts'),
    find: 'lastHeightConsensusParamsChanged: current.header.height',
    replace: 'lastHeightConsensusParamsChanged: last.header.height',
  },
  {
    name: 'restored-validators-height',
    about: 'a restored state names a height of its validators that is not stored',
    file: execution('bootstrap/state-from-blocks.ts'),
    find: 'lastHeightValidatorsChanged: next.header.height',
    replace: 'lastHeightValidatorsChanged: last.header.height - 1',
  },
  {
    name: 'state-before-seen-commit',
    about: 'the state of a snapshot is recorded, and the commit of its height is not',
    file: execution('bootstrap/bootstrap-state.ts'),
    find: "'save-seen-commit': () => blockStore.saveSeenCommit(data().commit.height, data().commit),",
    replace: "'save-seen-commit': async () => undefined,",
  },
  {
    name: 'backfill-not-marked',
    about: 'a node that begins with a snapshot never fetches the headers below it',
    file: execution('bootstrap/bootstrap-state.ts'),
    find: "'mark-backfill': () => blockStore.markBackfill(data().commit.height),",
    replace: "'mark-backfill': async () => undefined,",
  },
  {
    name: 'backfill-not-continued',
    about: 'after a restart, the headers below a snapshot are not fetched any more',
    file: backfill('backfill.ts'),
    find: '    if (isWhole(range)) {\n      reports.stored(range)',
    replace: '    if (isWhole(range) || range.lowest <= range.snapshot) {\n      reports.stored(range)',
  },
  {
    name: 'old-commit-not-compared',
    about: 'a commit below a snapshot is not compared with the hash in the next header',
    file: backfill('check-block.ts'),
    find: "  checkHash(fault, { what: 'the commit', got: hashCommit(commit), want: hash })\n",
    replace: '  void [hashCommit, hash]\n',
  },
  {
    name: 'old-round-not-verified',
    about: 'the round of a commit below a snapshot is taken from one server',
    file: backfill('check-block.ts'),
    find: '  await verifyCommitLightTrusting(claim, context.findInvalid).catch(',
    replace: '  void verifyCommitLightTrusting\n  await Promise.resolve([claim, context]).catch(',
  },
  {
    name: 'old-header-not-awaited',
    about: 'a block with +2/3 votes is refused if the header that its evidence needs is still being fetched',
    file: execution('executor.ts'),
    find: 'await modules.whenHeaderStored?.(evidenceHeight(item), check.agreed.signal)',
    replace: 'void [evidenceHeight, item]',
  },
  {
    name: 'old-header-not-awaited-at-polka',
    about: 'a block with a polka is refused if the header that its evidence needs is still being fetched',
    file: `${ENGINE}/consensus/machine/precommit.ts`,
    find: 'yield* validate(core, received, true)',
    replace: 'yield* validate(core, received, false)',
  },
  {
    name: 'old-evidence-punished',
    about: 'a peer that sends evidence about a header that is still being fetched loses its connection',
    file: `${ENGINE}/evidence/gossip/reactor.ts`,
    find: 'if (isCodedError(error, EVIDENCE_ERRORS.noHeader)) return ignore(error.code, error.message)',
    replace: 'if (isCodedError(error, EVIDENCE_ERRORS.noHeader)) return rejectError(error) ?? ignore',
  },
  {
    name: 'old-validators-of-other-height',
    about: 'heights below a snapshot get the validators of the lowest height of their batch',
    file: `${ENGINE}/store/old-validators.ts`,
    find: 'if (run === undefined || !equalBytes(run.hash, hash)) run =',
    replace: 'void equalBytes\n    if (run === undefined) run =',
  },
]
