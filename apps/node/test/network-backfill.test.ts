import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import {
  type BlockId,
  duplicateVoteEvidence,
  type Evidence,
  type Header,
  makeDuplicateVoteEvidence,
  SignedMsgType,
  Vote,
  validatorByAddress,
  validatorSetFromExisting,
  voteSignBytes,
} from '@org/types'
import { addressOf, privateKeyFromJson, publicKeyOf, sha256, sign } from '@org/types/crypto'
import type { JsonObject } from '@org/types/schema'
import { expect, test } from 'vitest'
import { agreement, block } from './support/chain.ts'
import { launch, temporaryFolder } from './support/process.ts'
import {
  configure,
  createTestnet,
  joinFrom,
  type Kind,
  type NetworkNode,
  needsCometbft,
  reached,
} from './support/testnet.ts'

const KVSTORE = new URL('../../kvstore/bin/kvstore', import.meta.url).pathname

const clientOf = ({ rpcPort }: NetworkNode) => createRpcClient(createHttpTransport(`http://127.0.0.1:${rpcPort}`))

/** Makes evidence that a validator signed two blocks at an old height. The key of the validator signs both votes. */
async function doubleSign(validator: NetworkNode, height: number): Promise<Evidence> {
  const client = clientOf(validator)
  const answer = await client.commit({ height })
  if (answer === undefined) throw new Error(`the validator has no commit of height ${height}`)
  const { header, commit } = answer.signedHeader as {
    readonly header: Header
    readonly commit: { readonly blockId: BlockId }
  }
  const validators = validatorSetFromExisting([...(await client.validators({ height, perPage: 100 })).validators])
  const file = readFileSync(join(validator.home, 'config/priv_validator_key.json'), 'utf8')
  const key = privateKeyFromJson((JSON.parse(file) as JsonObject).priv_key ?? null)
  const validatorAddress = addressOf(publicKeyOf(key))
  const precommit = (hash: Uint8Array): Vote => {
    const vote = Vote.create({
      type: SignedMsgType.precommit,
      height,
      round: 0,
      blockId: { ...commit.blockId, hash },
      timestamp: header.time,
      validatorAddress,
      validatorIndex: validatorByAddress(validators, validatorAddress)?.index ?? -1,
    })
    return { ...vote, signature: sign(key, voteSignBytes(header.chainId, vote)) }
  }
  const { hash } = commit.blockId
  return duplicateVoteEvidence(
    makeDuplicateVoteEvidence(precommit(hash), precommit(sha256(hash)), { blockTime: header.time, validators }),
  )
}

/** Sends evidence about `height` to a validator. Resolves with the height of the block that contains the evidence. */
async function publishDoubleSign(signer: NetworkNode, receiver: NetworkNode, height: number): Promise<number> {
  let at = await receiver.height()
  await clientOf(receiver).broadcastEvidence({ evidence: await doubleSign(signer, height) })
  for (let attempts = 0; attempts < 300; at++) {
    for (; (await receiver.height()) < at; attempts++) await new Promise((resolve) => setTimeout(resolve, 100))
    if ((await block(receiver, at)).block.evidence.evidence.length > 0) return at
  }
  throw new Error(`no block contains the evidence about height ${height}`)
}

/**
 * Starts two validators that run the implementation `servers`, and a Halley node that joins by state sync from them.
 * Publishes evidence that a validator signed two blocks at an old height, for three old heights. Then stops the joined
 * node, and starts the implementation `then` (Halley or the reference) on its home. Finally, publishes evidence about a
 * fourth old height. All nodes must follow the blocks with the evidence.
 */
async function joinAndFollow(servers: Kind, then: Kind): Promise<void> {
  // The reference's own kvstore takes no snapshots, so each node uses Halley's kvstore over the socket. A Go node can
  // then continue with the home and the application of the joined node.
  const folder = temporaryFolder()
  const sockets = ['a', 'b', 'c'].map((name) => `unix://${join(folder, name)}`)
  for (const socket of sockets) await launch(KVSTORE, ['--address', socket]).saw('kvstore: listening on')
  const nodes = await createTestnet({
    kinds: [servers, servers, 'halley'],
    validators: 2,
    config: { 'consensus.timeout_commit': '"20ms"' },
    application: (index) => sockets[index] ?? '',
  })
  const [first, second, late] = nodes as [NetworkNode, NetworkNode, NetworkNode]
  first.start()
  second.start()
  await reached(120, [first, second], 120_000)
  configure(late, joinFrom([first, second], (await block(first, 10)).block_id.hash))
  late.start()
  await reached(130, nodes, 90_000)
  const { sync_info: sync } = await late.rpc<{ sync_info: { earliest_block_height: string } }>('status')
  const base = Number(sync.earliest_block_height)
  expect(base).toBeGreaterThan(50)
  await expect
    .poll(() => late.log(), { timeout: 60_000, interval: 100 })
    .toContain('All headers below the snapshot that evidence may need are stored')
  await expect(late.rpc(`commit?height=${base - 1}`)).rejects.toThrow(/is not available/)

  // The evidence is about the lowest height, a height in the middle, and the height of the snapshot.
  for (const height of [2, 40, base - 1]) {
    const at = await publishDoubleSign(first, second, height)
    await reached(at + 2, nodes)
    await agreement(nodes, at, at + 1)
  }
  expect(late.log()).not.toContain('CONSENSUS FAILURE')

  await late.stop()
  late.start(then)
  await reached(await first.height(), [late])
  const at = await publishDoubleSign(second, first, 30)
  await reached(at + 2, nodes)
  await agreement(nodes, at, at + 1)
}

test('default: after state sync from Halley nodes, Halley follows blocks with evidence about heights below the snapshot', async () => {
  await joinAndFollow('halley', 'halley')
}, 300_000)

test.skipIf(needsCometbft('evidence about heights below a snapshot'))(
  'behavior: after state sync from Go nodes, Halley follows such blocks, and so does a Go node that continues with its home',
  async () => {
    await joinAndFollow('go', 'go')
  },
  300_000,
)
