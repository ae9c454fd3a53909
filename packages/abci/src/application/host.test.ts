import { RequestCheckTx, RequestFinalizeBlock, RequestInfo, ResponseFinalizeBlock } from '@org/types/abci'
import { describe, expect, test } from 'vitest'
import { createApplicationHost } from './host.ts'

describe('default', () => {
  test('members that an answer leaves out are zero, also in the results of transactions', async () => {
    const host = createApplicationHost({
      info: () => ({ data: 'x' }),
      finalizeBlock: async () => ({ txResults: [{ code: 3 }, {}] }),
    })
    expect(host.call('info', RequestInfo.create())).toEqual({
      data: 'x',
      version: '',
      appVersion: 0n,
      lastBlockHeight: 0,
      lastBlockAppHash: new Uint8Array(0),
    })
    const answer = await host.call('finalizeBlock', RequestFinalizeBlock.create())
    expect(answer.txResults.map(({ code, gasUsed }) => [code, gasUsed])).toEqual([
      [3, 0n],
      [0, 0n],
    ])
    expect([...ResponseFinalizeBlock.encode(answer)]).toEqual([18, 2, 8, 3, 18, 0])
  })

  test('inside a method, `this` is the application', () => {
    class Counter {
      calls = 0
      checkTx() {
        this.calls += 1
        return { code: this.calls }
      }
    }
    const host = createApplicationHost(new Counter())
    expect(host.call('checkTx', RequestCheckTx.create())).toMatchObject({ code: 1 })
    expect(host.call('checkTx', RequestCheckTx.create())).toMatchObject({ code: 2 })
  })
})
