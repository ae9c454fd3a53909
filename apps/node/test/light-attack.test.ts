import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { get, heightOf, type Kind, reached, resultOf, startKind, startProxy, trusting } from './support/light.ts'
import { makeHome } from './support/node.ts'
import { HALLEY, run, temporaryFolder } from './support/process.ts'
import { needsCometbft } from './support/testnet.ts'

interface Fork {
  /** The address of the honest node. */
  readonly honest: string
  /**
   * The address of the dishonest node. The dishonest node signs with the same key as the honest node, and has made
   * other blocks.
   */
  readonly attacker: string
  readonly chainId: string
  /** The hash of the block at height 2, which is the same on both chains. */
  readonly hash: string
  /** A height at which the two chains have different blocks. */
  readonly height: number
}

interface Forking {
  readonly honest: Kind
  readonly attacker: Kind
  /**
   * A transaction that only the attacker's node receives. It changes the application hash in the attacker's later
   * headers.
   */
  readonly tx?: string
}

/** Starts a chain of one validator, and copies its home. From then on, two nodes sign different blocks with one key. */
async function fork({ honest, attacker, tx }: Forking): Promise<Fork> {
  const home = await makeHome(temporaryFolder())
  const before = await startKind(honest, home)
  await reached(before.url, 5)
  const { node_info: info } = await resultOf<{ node_info: { network: string } }>(before.url, '/status')
  const { block_id: id } = await resultOf<{ block_id: { hash: string } }>(before.url, '/block?height=2')
  await before.stop()
  const copy = join(temporaryFolder(), 'home')
  cpSync(home, copy, { recursive: true })
  const [here, there] = [await startKind(honest, home), await startKind(attacker, copy)]
  if (tx !== undefined) await resultOf(there.url, `/broadcast_tx_commit?tx="${tx}"`)
  const height = Math.max(await heightOf(here.url), await heightOf(there.url)) + 3
  await Promise.all([reached(here.url, height + 1), reached(there.url, height + 1)])
  return { honest: here.url, attacker: there.url, chainId: info.network, hash: id.hash, height }
}

interface WireBlock {
  readonly block: {
    readonly evidence: { readonly evidence: readonly { readonly type: string; readonly value: object }[] }
  }
}

/** Returns the evidence in the blocks of a node, from the height `from` up to the newest block. */
async function evidenceFrom(url: string, from: number): Promise<readonly object[]> {
  const found: object[] = []
  const last = await heightOf(url)
  for (let height = from; height <= last; height++) {
    const { block } = await resultOf<WireBlock>(url, `/block?height=${height}`)
    found.push(...block.evidence.evidence)
  }
  return found
}

async function isReported(forking: Forking): Promise<void> {
  const { honest, attacker, chainId, hash, height } = await fork(forking)
  const proxy = await startProxy(chainId, ...trusting({ hash }, temporaryFolder(), attacker, honest))
  const { result, error } = await get(proxy.url, `/header?height=${height}`)
  expect(result).toBeUndefined()
  expect(error?.data).toMatch(/an attack: .* different valid headers after height 2\. .* \[LIGHT_ATTACK\]$/)
  expect(proxy.output()).toContain('Detected an attack, sending evidence')
  expect(proxy.output()).not.toContain('Failed to send evidence')
  // Each of the two nodes receives evidence, and a block of its chain contains the evidence.
  for (const url of [honest, attacker]) {
    await expect
      .poll(() => evidenceFrom(url, height), { timeout: 30_000, interval: 200 })
      .toContainEqual(expect.objectContaining({ type: 'tendermint/LightClientAttackEvidence' }))
  }
}

describe('an attack that the proxy finds is reported, and the evidence is in a block', () => {
  test('default: an attack by a Halley node is reported to a Halley node', () =>
    isReported({ honest: 'halley', attacker: 'halley' }))

  test('default: an attack by a Halley node with another state is reported to a Halley node', () =>
    isReported({ honest: 'halley', attacker: 'halley', tx: 'forged=1' }))

  const needsGo = needsCometbft('attacks before nodes of the reference')
  test.skipIf(needsGo)('default: an attack by a Halley node is reported to a Go node', () =>
    isReported({ honest: 'go', attacker: 'halley' }),
  )

  test.skipIf(needsGo)('default: an attack by a Go node with another state is reported to a Go node', () =>
    isReported({ honest: 'go', attacker: 'go', tx: 'forged=1' }),
  )

  test.skipIf(needsGo)('default: an attack by a Go node is reported to a Halley node', () =>
    isReported({ honest: 'halley', attacker: 'go' }),
  )
})

test('error: a start is refused if a witness has another header at the height to trust', async () => {
  const { honest, attacker, chainId, height } = await fork({ honest: 'halley', attacker: 'halley' })
  const { block_id: id } = await resultOf<{ block_id: { hash: string } }>(attacker, `/block?height=${height}`)
  const nodes = ['--primary', attacker, '--witnesses', honest, '--home-dir', temporaryFolder()]
  const trust = ['--height', String(height), '--hash', id.hash]
  const { code, stderr } = await run(HALLEY, ['light', chainId, ...nodes, ...trust])
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /has another header at height \d+: .* compare the header with a third node\. To correct it, .* nodes of --primary and --witnesses agree \[LIGHT_CONFLICTING_HEADER\]\n$/,
  )
})
