import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBudget, createVirtualClock } from '@org/runtime'
import { SignedMsgType, Vote, voteSignBytes } from '@org/types'
import { generateEd25519, type PublicKey, publicKeyOf, sign } from '@org/types/crypto'
import { beforeEach, expect, it } from 'vitest'
import type { GossipPort } from '../../src/consensus/driver/index.ts'
import { POOLED_SIGNATURES, type SignatureChecker } from '../../src/signatures/index.ts'
import { KEY, openRealNode, type RealNode, singleGenesis } from './real-node.ts'

const HASH = new Uint8Array(32).fill(1)
const IDENTITY = Uint8Array.of(1, ...new Uint8Array(31))
/**
 * A key that is a point of order 1, and a signature that is valid for every message under this key. The fast check
 * refuses the signature, and the exact check accepts it.
 */
const UNUSUAL = {
  key: { type: 'ed25519', bytes: IDENTITY } as const,
  signature: Uint8Array.of(...IDENTITY, ...new Uint8Array(32)),
}
const HONEST = generateEd25519(new Uint8Array(32).fill(2))

/**
 * A forged signature. Its second half is a number below the order of the group, so only the exact check can refuse it.
 */
const FORGED = new Uint8Array(64).fill(0xee).with(63, 0)

let directory = ''
let node: RealNode
const clock = createVirtualClock()
const exactChecks = createBudget({ burst: 1, perSecond: 1 }, clock)
const judgements: { readonly peerId: string; readonly outcome: string; readonly fault: string | undefined }[] = []
let exact = 0

const validator = (pubKey: PublicKey, power: bigint) => ({ address: new Uint8Array(0), pubKey, power, name: '' })

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'exact-'))
  const gossip: GossipPort = {
    hint: () => undefined,
    judgement: (peerId, _message, judgement) => {
      judgements.push({ peerId, outcome: judgement.outcome, fault: 'fault' in judgement ? judgement.fault : undefined })
      if (judgement.outcome === 'reject' && judgement.fault === 'overload') node.consensus.forget(peerId)
    },
  }
  const signatures: SignatureChecker = {
    ...POOLED_SIGNATURES,
    verifyExactly: (item) => {
      exact++
      return POOLED_SIGNATURES.verifyExactly(item)
    },
  }
  node = await openRealNode(directory, {
    genesis: singleGenesis({
      validators: [validator(publicKeyOf(KEY), 1000n), validator(publicKeyOf(HONEST), 1n), validator(UNUSUAL.key, 1n)],
    }),
    // The first height starts in one hour. The node accepts votes during this time.
    timeoutCommit: 3_600_000_000_000n,
    wrap: (modules) => ({ ...modules, gossip, signatures, exactChecks }),
  })
  await node.consensus.start()
  return async () => {
    await node.stop()
    rmSync(directory, { recursive: true })
  }
})

function voteOf(key: PublicKey, makeSignature: (message: Uint8Array) => Uint8Array): Vote {
  const { validators } = node.consensus.roundState().validators
  const validatorIndex = validators.findIndex(({ pubKey }) => pubKey?.bytes.every((byte, i) => byte === key.bytes[i]))
  const vote = Vote.create({
    type: SignedMsgType.prevote,
    height: 1,
    blockId: { hash: HASH, partSetHeader: { total: 1, hash: HASH } },
    timestamp: 1n,
    validatorAddress: validators[validatorIndex]?.address as Uint8Array,
    validatorIndex,
  })
  const { chainId } = node.consensus.roundState().chain
  return { ...vote, signature: makeSignature(voteSignBytes(chainId, vote)) }
}

it('above the budget, exact checks wait and reading from their peer pauses; other peers continue, and no judgement changes', async () => {
  const forged = voteOf(publicKeyOf(HONEST), () => FORGED)
  const receive = (peerId: string, vote: Vote): Promise<void> =>
    node.consensus.receive(peerId, { kind: 'vote', vote: { ...vote } })
  const done: string[] = []

  // The budget allows one exact check immediately. The other four messages wait for their checks.
  for (let i = 0; i < 5; i++) await receive('liar', forged)
  await expect.poll(() => node.consensus.sizes().later).toBe(4)
  expect([exact, judgements.splice(0)]).toEqual([1, [{ peerId: 'liar', outcome: 'reject', fault: 'forged' }]])
  void receive('liar', forged).then(() => done.push('liar'))

  // This signature is valid, but the fast check refuses it, and only the exact check accepts it. So the message of
  // `odd` also waits for its exact check.
  const unusual = voteOf(UNUSUAL.key, () => UNUSUAL.signature)
  await receive('odd', unusual)
  await expect.poll(() => node.consensus.sizes().later).toBe(5)
  void receive('odd', unusual).then(() => done.push('odd'))

  // The fast check accepts a usual signature, so the message with this signature does not wait.
  await receive(
    'honest',
    voteOf(publicKeyOf(HONEST), (message) => sign(HONEST, message)),
  )
  await expect.poll(() => judgements).toEqual([{ peerId: 'honest', outcome: 'accept', fault: undefined }])
  judgements.length = 0
  expect([exact, done]).toEqual([1, []])

  // All messages of `liar` came before those of `odd`, but the two peers take turns. So the first check is for `liar`,
  // the second for `odd`, and the third for `liar` again. libsodium cannot check signatures of the key of `odd`, so the
  // second check is done in JavaScript. It costs as much as the budget gains in twelve seconds. So the third check
  // comes twelve seconds after the second.
  for (const [seconds, expected] of [
    [1, [{ peerId: 'liar', outcome: 'reject', fault: 'forged' }]],
    [
      1,
      [
        { peerId: 'odd', outcome: 'accept', fault: undefined },
        // The second message has the same vote as the first, so it needs no check.
        { peerId: 'odd', outcome: 'ignore', fault: undefined },
      ],
    ],
    [12, [{ peerId: 'liar', outcome: 'reject', fault: 'forged' }]],
  ] as const) {
    clock.advance(seconds * 1000)
    await expect.poll(() => judgements).toEqual(expected)
    judgements.length = 0
  }
  expect([exact, done, node.consensus.sizes().later]).toEqual([4, ['odd'], 2])

  // When a peer is forgotten, its waiting messages are dropped.
  node.consensus.forget('liar')
  await expect.poll(() => done).toEqual(['odd', 'liar'])
  clock.advance(3_600_000)
  expect([node.consensus.sizes().later, judgements]).toEqual([0, []])
  expect(node.consensus.roundState().votes.prevotes(0)?.bits.count()).toBe(2)
})
