import {
  RequestCheckTx,
  RequestFinalizeBlock,
  RequestPrepareProposal,
  RequestQuery,
  ResponseQuery,
} from '@org/types/abci'
import { expect, test } from 'vitest'
import { type Application, createConnections } from '../src/index.ts'

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values)

test('behavior: if an application in the process changes its requests, the objects of the node do not change', async () => {
  const app: Application = {
    checkTx: ({ tx }) => {
      tx.fill(0)
      return {}
    },
    prepareProposal: ({ txs }) => ({ txs: (txs as Uint8Array[]).reverse() }),
    finalizeBlock: (request) => {
      const { txs, hash, decidedLastCommit } = request
      ;(txs as Uint8Array[]).sort((a, b) => (b[0] ?? 0) - (a[0] ?? 0))
      for (const tx of txs) tx.fill(0)
      hash.fill(0)
      decidedLastCommit.votes[0]?.validator.address.fill(0)
      ;(decidedLastCommit as { round: number }).round = 9
      return { txResults: txs.map(() => ({})) }
    },
  }
  const { consensus, mempool } = createConnections({ kind: 'local', app })
  const block = (): RequestFinalizeBlock =>
    RequestFinalizeBlock.create({
      txs: [bytes(1), bytes(2)],
      hash: bytes(3),
      height: 5,
      decidedLastCommit: {
        round: 1,
        votes: [{ validator: { address: bytes(4), power: 7n }, blockIdFlag: 2 }],
      },
    })
  const request = block()
  await consensus.finalizeBlock(request)
  expect(request).toEqual(block())

  const proposal = RequestPrepareProposal.create({ txs: [bytes(1), bytes(2)] })
  expect(await consensus.prepareProposal(proposal)).toEqual({ txs: [bytes(2), bytes(1)] })
  expect(proposal.txs).toEqual([bytes(1), bytes(2)])

  // The copy of the transaction must not be made by `slice`, because a slice of a `Buffer` is a view.
  const check = RequestCheckTx.create({ tx: Buffer.from([1, 2]) })
  await mempool.checkTxNow?.(check)
  expect([...check.tx]).toEqual([1, 2])
})

test('behavior: with `copiesRequests: false` the application gets the bytes of the node', async () => {
  const seen: Uint8Array[] = []
  const app: Application = {
    checkTx: ({ tx }) => {
      seen.push(tx)
      return {}
    },
  }
  const { mempool } = createConnections({ kind: 'local', app, copiesRequests: false })
  const tx = bytes(1, 2)
  await mempool.checkTxNow?.(RequestCheckTx.create({ tx }))
  expect(seen[0]).toBe(tx)
})

test('behavior: absent bytes of a request that the application returns are absent in its answer', async () => {
  const { query } = createConnections({ kind: 'local', app: { query: ({ data }) => ({ key: data }) } })
  const keyFor = async (request: RequestQuery) => ResponseQuery.toJson(await query.query(request))
  expect(await keyFor(RequestQuery.create())).toMatchObject({ key: null })
  expect(await keyFor(RequestQuery.create({ data: new Uint8Array() }))).toMatchObject({ key: '' })
})
