/*
 * Runs in a process with the `browser` condition and without Node's globals: imports every folder, then verifies a
 * commit that it signed. Prints the folders that it used.
 */
for (const name of ['Buffer', 'process', 'setImmediate', 'require']) Reflect.deleteProperty(globalThis, name)

const print = console.log
const { hashHeader, makePartSet, Block, BlockIdFlag, Commit, Header } = await import('@org/types/block')
const { addressOf, generateEd25519, generateSecp256k1, publicKeyOf, sign } = await import('@org/types/crypto')
const { createValidatorSet, verifyCommit } = await import('@org/types/validators')
const { precommit, chainId } = { precommit: 2, chainId: 'browser' } as const
const { voteSignBytes, Vote } = await import('@org/types/vote')
const { stringifyJson } = await import('@org/types/schema')
const { eventDataToJson } = await import('@org/types/events')
for (const folder of ['abci', 'bits', 'blocksync', 'bytes', 'consensus', 'evidence', 'genesis', 'mempool', 'merkle']) {
  await import(`@org/types/${folder}`)
}
for (const folder of ['p2p', 'params', 'privval', 'state', 'statesync', 'time']) {
  await import(`@org/types/${folder}`)
}

const keys = [generateEd25519(), generateEd25519(), generateSecp256k1()]
const validators = createValidatorSet(
  keys.map((key) => {
    const pubKey = publicKeyOf(key)
    return { address: addressOf(pubKey), pubKey, votingPower: 10n, proposerPriority: 0n }
  }),
)
const header = Header.create({ chainId, height: 7, validatorsHash: new Uint8Array(32) })
const blockId = { hash: hashHeader(header), partSetHeader: makePartSet(Block.encode(Block.create({ header }))).header }
const signatures = validators.validators.map(({ address, pubKey }, validatorIndex) => {
  const key = keys.find((k) => String(publicKeyOf(k).bytes) === String(pubKey.bytes))
  const vote = Vote.create({
    type: precommit,
    height: 7,
    blockId,
    timestamp: 1n,
    validatorAddress: address,
    validatorIndex,
  })
  const signature = sign(key as (typeof keys)[0], voteSignBytes(chainId, vote))
  return { blockIdFlag: BlockIdFlag.commit, validatorAddress: address, timestamp: 1n, signature }
})
const commit = Commit.create({ height: 7, blockId, signatures })
const read = Commit.fromJson(JSON.parse(stringifyJson(Commit.toJson(Commit.decode(Commit.encode(commit))))))
await verifyCommit({ chainId, validators, blockId, height: 7, commit: read })
print(stringifyJson(eventDataToJson({ type: 'Lock', height: 7, round: 0, step: 'RoundStepPrevote' })))

export {}
