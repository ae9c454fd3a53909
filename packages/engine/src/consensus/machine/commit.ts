import type { BlockId } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import {
  type Core,
  callDriver,
  expectParts,
  isFor,
  newStep,
  note,
  publish,
  type RuleGenerator,
  setStep,
} from './core.ts'
import { MACHINE_ERRORS, MachineError } from './errors.ts'
import { enterNextHeight } from './height.ts'
import { validate } from './prevote.ts'
import { readAgreedBlock } from './read-block.ts'
import { type Decision, extensionsEnabled } from './round-state.ts'
import { RoundStep } from './round-step.ts'
import { makeExtendedCommit } from './votes/index.ts'

/** Called with +2/3 precommits for a block. */
export function* enterCommit(core: Core, height: number, decided: Omit<Decision, 'time'>): RuleGenerator {
  const { state } = core
  if (state.height !== height || RoundStep.commit <= state.step) return
  // This node decided the block before. Then votes of a later round moved this node to that round. A further precommit
  // of the decided round does not move it back, because the later round may never end without the votes of this node.
  if (state.decision?.round === decided.round) return
  prepareBlock(core, decided.blockId)
  // The round of the state does not change, although it may be later than the round in which the block was decided.
  setStep(core, state.round, RoundStep.commit)
  const time = core.now()
  state.decision = { ...decided, time }
  state.commitTime = time
  newStep(core)
  yield* tryFinalize(core, height)
}

/** Uses the locked block if it is the decided one; otherwise prepares to receive the parts of the decided block. */
function prepareBlock(core: Core, decided: BlockId): void {
  const { state } = core
  if (isFor(state.locked, decided)) state.incoming = state.locked
  readAgreedBlock(core, decided)
  if (state.incoming?.parts.hasHeader(decided.partSetHeader) === true) return
  note.info(core, 'commit is for a block we do not know about; set ProposalBlock=nil', {
    hash: bytesToHex(decided.hash),
  })
  expectParts(core, decided.partSetHeader)
  publish(core, 'ValidBlock')
  core.emit({ type: 'gossip', hint: { type: 'newValidBlock' } })
}

/** Commits if the decided block is complete. */
export function* tryFinalize(core: Core, height: number): RuleGenerator {
  const { state } = core
  const { decision, incoming } = state
  if (state.height !== height || decision === undefined) return
  const { blockId, precommits } = decision
  if (!isFor(incoming, blockId)) return
  const reason = yield* validate(core, incoming, true)
  if (reason !== undefined) {
    const message = `+2/3 committed an invalid block: ${reason}`
    throw new MachineError(MACHINE_ERRORS.committedInvalidBlock, message, { data: { reason } })
  }
  const { block, parts } = incoming
  note.info(core, 'finalizing commit of block', {
    hash: bytesToHex(blockId.hash),
    root: bytesToHex(block.header.appHash),
    num_txs: block.data.txs.length,
  })
  const committed = yield* callDriver({
    type: 'commitBlock',
    block,
    blockId,
    parts,
    seenCommit: makeExtendedCommit(precommits),
    extended: extensionsEnabled(state.chain, height),
  })
  enterNextHeight(core, decision, committed)
}
