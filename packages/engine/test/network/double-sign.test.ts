import { equalBytes, utf8ToBytes } from '@org/types/bytes'
import { addressOf, publicKeyOf } from '@org/types/crypto'
import { expect, test } from 'vitest'
import { createTestNetwork, type TestNode } from './test-network.ts'

/** Returns the address of the validator that double-signed, from evidence in a block; `undefined` without evidence. */
function offender({ engine }: TestNode): Uint8Array | undefined {
  for (let height = 1; height <= engine.blockStore.height(); height++) {
    for (const { sum } of engine.blockStore.loadBlock(height)?.evidence.evidence ?? []) {
      if (sum?.case === 'duplicateVoteEvidence') return sum.value.voteA?.validatorAddress
    }
  }
  return undefined
}

test('behavior: two nodes with one key are caught, and the evidence is committed everywhere', async () => {
  await using network = createTestNetwork({ consensus: { timeoutPropose: 400_000_000n } })
  const { nodes, add } = network
  const [first] = [await add(), await add(), await add(), await add()]
  const twin = await add({ signsAs: 1 })
  let sent = 0
  await expect
    .poll(
      () => {
        // The two nodes with the same key propose different transactions, so that their blocks differ.
        void twin.engine.mempool.checkTx(utf8ToBytes(`twin=${sent++}`)).catch(() => undefined)
        return offender(nodes[1] as TestNode) !== undefined
      },
      { timeout: 30_000, interval: 20 },
    )
    .toBe(true)
  const address = addressOf(publicKeyOf(first.key))
  for (const node of nodes.slice(1, 4)) {
    await expect.poll(() => offender(node) !== undefined, { timeout: 5000 }).toBe(true)
    expect(equalBytes(offender(node) as Uint8Array, address)).toBe(true)
  }
}, 45_000)
