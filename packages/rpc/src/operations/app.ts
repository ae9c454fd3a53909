import { bool, hexBytes, int64, string } from '../call/params.ts'
import { defineRoute } from '../call/route.ts'
import { abciInfoResult, abciQueryResult } from './results.ts'

export const abciInfo = defineRoute({
  name: 'abci_info',
  summary: 'Returns version, last height and app hash of the application.',
  category: 'ABCI',
  params: {},
  result: abciInfoResult,
  needs: ['app'],
  cache: 'always',
  handler: async ({ ports }) => ({ response: await ports.app.info() }),
})

export const abciQuery = defineRoute({
  name: 'abci_query',
  summary: 'Sends a query to the application.',
  category: 'ABCI',
  params: { path: string, data: hexBytes, height: int64, prove: bool },
  result: abciQueryResult,
  needs: ['app'],
  handler: async ({ ports }, { path, data, height, prove }) => ({
    response: await ports.app.query({ path, data, height: Number(height), prove }),
  }),
})
