import { hashTx } from '@org/types'
import { ExecTxResult } from '@org/types/abci'
import { utf8ToBytes } from '@org/types/bytes'
import { describe, expect, test } from 'vitest'
import { createTxWaiters } from './tx-waiters.ts'

const tx = utf8ToBytes('name=satoshi')
const hash = hashTx(tx)
const committed = { type: 'Tx' as const, txResult: { height: 7, index: 0, tx, result: ExecTxResult.create() } }
const never = new AbortController().signal

describe('waiting for transactions', () => {
  test('default: resolves all callers that wait for the transaction, and no others', async () => {
    const waiters = createTxWaiters(never)
    const [one, two] = [waiters.wait(hash, never), waiters.wait(hash, never)]
    const other = new AbortController()
    const elsewhere = waiters.wait(new Uint8Array(32), other.signal)
    waiters.publish(committed)
    expect(await Promise.all([one, two])).toEqual([committed.txResult, committed.txResult])
    other.abort(new Error('enough'))
    await expect(elsewhere).rejects.toThrow('enough')
  })

  test('behavior: a caller that comes later, or aborts, receives no result', async () => {
    const waiters = createTxWaiters(never)
    waiters.publish(committed)
    const timeLimit = new AbortController()
    const late = waiters.wait(hash, timeLimit.signal)
    timeLimit.abort(new Error('timeout'))
    await expect(late).rejects.toThrow('timeout')
    waiters.publish(committed)
    await expect(waiters.wait(hash, timeLimit.signal)).rejects.toThrow('timeout')
  })

  test('error: all callers get an error when the node has stopped', async () => {
    const end = new AbortController()
    const waiters = createTxWaiters(end.signal)
    const waiting = waiters.wait(hash, never)
    end.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'NODE_STOPPED', message: 'CometBFT exited' })
    await expect(waiters.wait(hash, never)).rejects.toMatchObject({ code: 'NODE_STOPPED' })
  })
})
