import type { ConsensusMessage as Message, TimedWalMessage, WalMessage } from '@org/types/messages'
import {
  type ConsensusMessage,
  type HeightRoundStep,
  type Input,
  isRoundStep,
  roundStepName,
  type Timeout,
} from '../machine/index.ts'

function messageToWire(message: ConsensusMessage): Message {
  switch (message.kind) {
    case 'proposal':
      return { sum: { case: 'proposal', value: { proposal: message.proposal } } }
    case 'blockPart': {
      const { height, round, part } = message
      return { sum: { case: 'blockPart', value: { height, round, part } } }
    }
    case 'vote':
      return { sum: { case: 'vote', value: { vote: message.vote } } }
  }
}

/** Returns a wire message as an input of the machine; `undefined` for a message that only reports what a peer has. */
function messageFromWire({ sum }: Message): ConsensusMessage | undefined {
  switch (sum?.case) {
    case 'proposal':
      return { kind: 'proposal', proposal: sum.value.proposal }
    case 'blockPart':
      return { kind: 'blockPart', ...sum.value }
    case 'vote':
      return sum.value.vote === undefined ? undefined : { kind: 'vote', vote: sum.value.vote }
    default:
      return undefined
  }
}

export function messageRecord(peerId: string, message: ConsensusMessage): WalMessage {
  return { sum: { case: 'msgInfo', value: { msg: messageToWire(message), peerId } } }
}

export function timeoutRecord(timeout: Timeout): WalMessage {
  return { sum: { case: 'timeoutInfo', value: timeout } }
}

export function stepRecord({ height, round, step }: HeightRoundStep): WalMessage {
  return { sum: { case: 'eventDataRoundState', value: { height, round, step: roundStepName(step) } } }
}

export function endHeightRecord(height: number): WalMessage {
  return { sum: { case: 'endHeight', value: { height } } }
}

/** Returns the input of a WAL record; `undefined` if the record is only a mark of a step or of the end of a height. */
export function inputFromRecord({ time, msg }: TimedWalMessage): Input | undefined {
  const sum = msg?.sum
  if (sum?.case === 'timeoutInfo') {
    const { duration, height, round, step } = sum.value
    return isRoundStep(step) ? { type: 'timeout', time, timeout: { duration, height, round, step } } : undefined
  }
  if (sum?.case !== 'msgInfo') return undefined
  const message = messageFromWire(sum.value.msg)
  return message === undefined ? undefined : { type: 'message', time, peerId: sum.value.peerId, message }
}
