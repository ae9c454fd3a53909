import { CodedError } from '@org/runtime'
import { expect, test } from 'vitest'
import { createDumpPorts } from './dump-ports.ts'
import { startRpc } from './start-rpc.ts'

interface Answer {
  readonly result?: { readonly height?: string; readonly block_height?: string }
  readonly error?: { readonly data: string }
}

test('behavior: while the last block is executed, the latest height for its results is the one before', async () => {
  const { blocks, state } = createDumpPorts('kvstore-single', { indexing: false })
  const last = blocks.height()
  let executed = last - 2
  await using rpc = await startRpc(
    {},
    {
      state: {
        ...state,
        loadConsensusParams: (height) => {
          if (height > executed + 1) throw new CodedError('NONE', `no parameters of ${height}`)
          return state.loadConsensusParams(last)
        },
        hasFinalizeBlockResponse: (height) => height <= executed,
        loadFinalizeBlockResponse: (height) => {
          if (height > executed) throw new CodedError('NONE', `no results of ${height}`)
          return state.loadFinalizeBlockResponse(height)
        },
      },
    },
  )
  const ask = async (route: string): Promise<Answer> =>
    (await (await fetch(`http://127.0.0.1:${rpc.port}/${route}`)).json()) as Answer
  const heights = async () => [
    (await ask('consensus_params')).result?.block_height,
    (await ask('block_results')).result?.height,
  ]
  // Neither the latest height nor the height before has data, so the error names the latest height.
  expect((await ask('consensus_params')).error?.data).toBe(`no parameters of ${last + 1}`)
  expect((await ask('block_results')).error?.data).toBe(`no results of ${last}`)
  executed = last - 1
  expect(await heights()).toEqual([`${last}`, `${last - 1}`])
  // A call that names a height gets the error that the data of this height are missing.
  expect((await ask(`consensus_params?height=${last + 1}`)).error?.data).toBe(`no parameters of ${last + 1}`)
  expect((await ask(`block_results?height=${last}`)).error?.data).toBe(`no results of ${last}`)
  executed = last
  expect(await heights()).toEqual([`${last + 1}`, `${last}`])
  expect((await ask(`block_results?height=${last - 1}`)).result?.height).toBe(`${last - 1}`)
})

test('error: before the first block after a snapshot, validators without proven priorities are not answered', async () => {
  const { blocks, state } = createDumpPorts('kvstore-single', { indexing: false })
  const last = blocks.height()
  const validators = state.loadValidators(last)
  let height = 0
  await using rpc = await startRpc(
    {},
    {
      blocks: { ...blocks, base: () => height, height: () => height, backfilled: () => ({ snapshot: last - 1 }) },
      state: { ...state, loadValidators: () => validators },
    },
  )
  const ask = async (route: string): Promise<Answer> =>
    (await (await fetch(`http://127.0.0.1:${rpc.port}/${route}`)).json()) as Answer
  for (const route of ['validators', 'validators?height=1'])
    expect((await ask(route)).error?.data).toBe(`height 1 is not available, lowest height is ${last}`)
  height = last
  expect((await ask(`validators?height=${last}`)).result?.block_height).toBe(`${last}`)
})
