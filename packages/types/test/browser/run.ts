/*
 * Runs in a process with the import condition `browser` and without Node's globals. Imports every entry point of the
 * package, signs a commit, verifies the commit, and prints the JSON of an event.
 */
for (const name of ['Buffer', 'process', 'setImmediate', 'require']) Reflect.deleteProperty(globalThis, name)

const print = console.log
const { createValidatorSet, eventDataToJson, hashHeader, makePartSet, verifyCommit, voteSignBytes } = await import(
  '@org/types'
)
const { Block, BlockIdFlag, Commit, Header, Vote } = await import('@org/types')
const { addressOf, generateEd25519, generateSecp256k1, publicKeyOf, sign } = await import('@org/types/crypto')
const { stringifyJson } = await import('@org/types/schema')
const { precommit, chainId } = { precommit: 2, chainId: 'browser' } as const
for (const entry of ['abci', 'bytes', 'messages', 'p2p', 'time']) await import(`@org/types/${entry}`)

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
