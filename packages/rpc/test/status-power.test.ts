import { CodedError } from '@org/runtime'
import { expect, test } from 'vitest'
import type { Ports } from '../src/index.ts'
import { createDumpPorts } from './dump-ports.ts'
import { startRpc } from './start-rpc.ts'

interface Answer {
  readonly result: { readonly validator_info: { readonly voting_power: string } }
}

async function powerIn(changes: Partial<Ports['state']>): Promise<string> {
  const { state } = createDumpPorts('kvstore-single', { indexing: false })
  await using rpc = await startRpc({}, { state: { ...state, ...changes } })
  const answer = (await (await fetch(`http://127.0.0.1:${rpc.port}/status`)).json()) as Answer
  return answer.result.validator_info.voting_power
}

test('default: the power of status is looked up in the set of the next height', async () => {
  expect(await powerIn({})).toBe('40')
})

test('behavior: ports with the power of an address are asked for it, and not for a validator set', async () => {
  const { blocks, validator } = createDumpPorts('kvstore-single', { indexing: false })
  const asked: unknown[] = []
  const power = await powerIn({
    loadVotingPower: (...given) => {
      asked.push(given)
      return 77n
    },
    loadValidators: () => {
      throw new CodedError('NONE', 'asked for a set')
    },
  })
  expect(power).toBe('77')
  expect(asked).toEqual([[blocks.height() + 1, validator?.address]])
})

test('behavior: a power that is not stored yet is 0', async () => {
  const fail = (): never => {
    throw new CodedError('NONE', 'not known')
  }
  expect(await powerIn({ loadVotingPower: fail })).toBe('0')
  expect(await powerIn({ loadValidators: fail })).toBe('0')
})
