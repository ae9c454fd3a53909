import { noopLogger } from '@org/runtime'
import { SignedMsgType } from '@org/types'
import { expect, it } from 'vitest'
import { replayTail } from '../../src/consensus/driver/replay.ts'
import { messageRecord, timeoutRecord } from '../../src/consensus/driver/wal-records.ts'
import { type Call, feedMachine, type Input, type Result } from '../../src/consensus/machine/index.ts'
import { createScenario } from './scenario.ts'
import { createVirtualNetwork, type VirtualNode } from './virtual-network.ts'

function recordOf(input: Input) {
  if (input.type === 'message') return [{ time: input.time, msg: messageRecord(input.peerId, input.message) }]
  return input.type === 'timeout' ? [{ time: input.time, msg: timeoutRecord(input.timeout) }] : []
}

/** Answers a call of the machine if the WAL has no answer to it: the application and the node accept every block. */
function accept(call: Call): Result {
  if (call.type === 'processProposal') return { type: call.type, value: true }
  if (call.type === 'validateBlock') return { type: call.type, value: undefined }
  throw new Error(`no answer to ${call.type}`)
}

/**
 * Replays `inputs`, the inputs of the node `index`, in a new machine. This machine belongs to the node `index` of a new
 * network, which has the same keys. Returns the state of the new machine.
 */
async function replay(index: number, inputs: readonly Input[]) {
  const { machine } = createVirtualNetwork().nodes[index] as VirtualNode
  const tail = { endHeight: 0, messages: inputs.flatMap(recordOf) }
  await replayTail(tail as never, machine.state, {
    wal: {} as never,
    feeder: {
      feed: async () => undefined,
      replay: async (input, record) => {
        const answer = (call: Call): Result => record.answer(call, machine.state) ?? accept(call)
        feedMachine(machine, input, { answer, perform: () => undefined })
      },
    },
    clock: {} as never,
    logger: noopLogger,
    restoreSignState: () => undefined,
    isStopped: () => false,
  })
  return machine.state
}

it.each([0, 1])(
  'behavior: a restarted node keeps its lock, although the two votes of an equivocator arrived in round %i',
  async (early) => {
    const s = createScenario()
    const { prevote } = SignedMsgType
    const block = s.network.block(['a'])
    const { blockId } = block
    const [equivocator, honest] = s.others as [VirtualNode, VirtualNode]

    const round = 1
    function sendVotes(): void {
      const ids = [s.network.block(['b']).blockId, blockId]
      s.me.receive({ kind: 'vote', vote: equivocator.vote({ round, blockId: ids[0] as never }) })
      s.me.feed({ type: 'peerMaj23', peerId: 'p', height: 1, round, voteType: prevote, blockId })
      s.me.receive({ kind: 'vote', vote: equivocator.vote({ round, blockId }) })
      s.me.receive({ kind: 'vote', vote: honest.vote({ round, blockId }) })
    }

    if (early === 0) sendVotes()
    s.precommit(undefined, undefined, undefined)
    s.timeOut()
    expect(s.state.round).toBe(1)
    if (early === 1) sendVotes()
    s.propose(block)
    expect(s.state.locked?.hash).toEqual(blockId.hash)

    const state = await replay(s.me.index, s.me.inputs)
    expect(state.locked?.hash).toEqual(blockId.hash)
    expect([state.round, state.step]).toEqual([s.state.round, s.state.step])
  },
)
