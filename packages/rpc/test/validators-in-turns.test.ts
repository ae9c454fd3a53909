import { CodedError } from '@org/runtime'
import type { ValidatorSet } from '@org/types'
import { expect, test } from 'vitest'
import { createDumpPorts } from './dump-ports.ts'
import { startRpc } from './start-rpc.ts'

test('behavior: ports that make a validator set in turns are asked for it in turns', async () => {
  const { state } = createDumpPorts('kvstore-single', { indexing: false })
  const asked: number[] = []
  const readValidators = async (
    height: number,
    turns: { pause: () => Promise<void>; signal: () => AbortSignal },
  ): Promise<ValidatorSet> => {
    asked.push(height)
    await turns.pause()
    turns.signal().throwIfAborted()
    return state.loadValidators(height)
  }
  const loadValidators = (): never => {
    throw new CodedError('NONE', 'a set is made in one go')
  }
  await using plain = await startRpc({}, { state })
  await using rpc = await startRpc({}, { state: { ...state, readValidators, loadValidators } })
  const path = '/validators?height=3&per_page=1'
  const answer = await (await fetch(`http://127.0.0.1:${rpc.port}${path}`)).text()
  expect(answer).toContain('"block_height":"3"')
  expect(answer).toBe(await (await fetch(`http://127.0.0.1:${plain.port}${path}`)).text())
  expect(asked).toEqual([3])
})

test('error: too many far heights are refused with the error of the store', async () => {
  const { state } = createDumpPorts('kvstore-single', { indexing: false })
  const readValidators = (): Promise<ValidatorSet> =>
    Promise.reject(new CodedError('STORE_BUSY', 'too many validator sets of old heights are asked for'))
  await using rpc = await startRpc({}, { state: { ...state, readValidators } })
  const answer = await (await fetch(`http://127.0.0.1:${rpc.port}/validators?height=3`)).text()
  expect(answer).toContain('too many validator sets of old heights are asked for')
})
