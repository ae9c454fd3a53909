import { type ConsensusParams, defaultConsensusParams, hashConsensusParams } from '@org/types'
import { expect, test } from 'vitest'
import { RESTORE_ERRORS } from '../restore/index.ts'
import { agreedParams, type ParamsSource } from './agreed-params.ts'
import { PROVIDER_ERRORS } from './errors.ts'

const PARAMS = defaultConsensusParams()
const HEADER = { height: 7, consensusHash: hashConsensusParams(PARAMS) }
/**
 * These parameters have the same hash as `PARAMS`, because the hash in the header does not cover the parameters of
 * evidence.
 */
const OTHER = { ...PARAMS, evidence: { ...PARAMS.evidence, maxAgeNumBlocks: 1n } }
const OF_OTHER_BLOCKS = { ...PARAMS, block: { ...PARAMS.block, maxBytes: 1n } }

const source = (name: string, answer: ConsensusParams | Error): ParamsSource => ({
  name,
  consensusParams: async () => {
    if (answer instanceof Error) throw answer
    return answer
  },
})
const ask = (sources: readonly ParamsSource[]) => agreedParams(HEADER, sources, new AbortController().signal)

test('default: two servers are enough, although a third server is silent and a fourth sends parameters that do not fit the header', async () => {
  const silent = source('silent', new Error('no answer'))
  const unfit = source('unfit', OF_OTHER_BLOCKS)
  expect(await ask([unfit, source('a', PARAMS), silent, source('b', PARAMS)])).toEqual(PARAMS)
})

test('error: servers that disagree are named', async () => {
  await expect(ask([source('a', PARAMS), source('b', PARAMS), source('liar', OTHER)])).rejects.toMatchObject({
    code: RESTORE_ERRORS.servers,
    message: expect.stringMatching(/a and liar have different consensus parameters at height 7.*remove the others/),
  })
})

test('error: one server alone is not enough', async () => {
  for (const other of [new Error('no answer'), OF_OTHER_BLOCKS]) {
    await expect(ask([source('a', OTHER), source('b', other)])).rejects.toMatchObject({
      code: PROVIDER_ERRORS.noParams,
    })
  }
})

test('error: rejects with the reason of the signal', async () => {
  const signal = AbortSignal.abort(new Error('over'))
  await expect(agreedParams(HEADER, [source('a', PARAMS), source('b', PARAMS)], signal)).rejects.toThrow('over')
})
