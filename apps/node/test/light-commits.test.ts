import { LIGHT_ERRORS, type LightBlock, type Provider } from '@org/light'
import { createMemoryProvider } from '@org/light/testing'
import { noopLogger } from '@org/runtime'
import { Commit, type FindInvalid, Header } from '@org/types'
import { findInvalidSignature } from '@org/types/crypto'
import { expect, test } from 'vitest'
import { createVerifiedCommits } from '../src/light/verified-commits.ts'
import { CHAIN_ID, makeBlocks } from './support/made-blocks.ts'

type Blocks = ReadonlyMap<number, LightBlock>

const nodeOf = (name: string, blocks: Blocks): Provider => createMemoryProvider({ chainId: CHAIN_ID, name }, blocks)

/**
 * Makes the operation `commit` for a light client that has stored `blocks`. Counts the verifications of signatures.
 * `nodes` are the primary and the witnesses. Default: one node, which sends the same blocks.
 */
function startCommits(blocks: Map<number, LightBlock> | Blocks, nodes: readonly Provider[] = [nodeOf('a', blocks)]) {
  let verifications = 0
  const findInvalid: FindInvalid = (items) => {
    verifications++
    return findInvalidSignature(items)
  }
  const latest = blocks.get(blocks.size)
  const commitAt = createVerifiedCommits({
    light: {
      update: async () => undefined,
      trustedBlock: async () => latest,
      verifyAtHeight: async (height) => blocks.get(height) as LightBlock,
      providers: () => ({ primary: nodes[0] as Provider, witnesses: nodes.slice(1) }),
      replaceCommit: async (block) => void (blocks as Map<number, LightBlock>).set(block.header.height, block),
    },
    logger: noopLogger,
    findInvalid,
  })
  const { signal } = new AbortController()
  return { ask: (height?: number) => commitAt(height, signal), verifications: () => verifications }
}

test('limit: a commit that is asked for 1,000 times is verified once', async () => {
  const blocks = makeBlocks(3)
  const { ask, verifications } = startCommits(blocks)
  const { header, commit } = blocks.get(3) as LightBlock
  const wanted = {
    signed_header: { header: Header.toJson(header), commit: Commit.toJson(commit) },
    canonical: true,
  }
  expect(await Promise.all(Array.from({ length: 500 }, () => ask(3)))).toEqual(Array(500).fill(wanted))
  for (let i = 0; i < 500; i++) expect(await ask()).toEqual(wanted)
  expect(verifications()).toBe(1)
  await ask(2)
  expect(verifications()).toBe(2)
})

test('limit: at most 1,000 verified commits are remembered', async () => {
  const { ask, verifications } = startCommits(makeBlocks(1001))
  for (let height = 1; height <= 1001; height++) await ask(height)
  await ask(2)
  expect(verifications()).toBe(1001)
  await ask(1)
  expect(verifications()).toBe(1002)
})

/** Returns a copy of the blocks in which one signature of the commit at height 3 is false. */
function withFalseSignature(blocks: Blocks): Map<number, LightBlock> {
  const right = blocks.get(3) as LightBlock
  const signatures = right.commit.signatures.map((entry, index) =>
    index === 2 ? { ...entry, signature: new Uint8Array(64) } : entry,
  )
  return new Map(blocks).set(3, { ...right, commit: { ...right.commit, signatures } })
}

test('behavior: a stored commit with a false signature is replaced by the right one of another node', async () => {
  const blocks = makeBlocks(3)
  const stored = withFalseSignature(blocks)
  const right = blocks.get(3) as LightBlock
  const other = makeBlocks(4).get(4) as LightBlock
  const nodes = [
    nodeOf('liar', stored),
    nodeOf('behind', new Map([...blocks].slice(0, 2))),
    { ...nodeOf('forked', blocks), lightBlock: async () => other },
    nodeOf('honest', blocks),
  ]
  const { ask } = startCommits(stored, nodes)
  const answers = await Promise.all([ask(3), ask(3), ask()])
  for (const answer of answers)
    expect(answer).toEqual({
      signed_header: { header: Header.toJson(right.header), commit: Commit.toJson(right.commit) },
      canonical: true,
    })
  expect(stored.get(3)).toEqual(right)
})

test('error: a commit with a wrong signature is refused each time, also after the right commit was accepted', async () => {
  const blocks = new Map(makeBlocks(3))
  const { ask } = startCommits(blocks)
  await ask(3)
  const right = blocks.get(3) as LightBlock
  blocks.set(3, withFalseSignature(blocks).get(3) as LightBlock)
  for (let i = 0; i < 2; i++)
    await expect(ask(3)).rejects.toThrow(
      expect.objectContaining({
        code: LIGHT_ERRORS.wrongAnswer,
        message: expect.stringMatching(/^the answer to commit is wrong: .*Ask another node$/),
      }),
    )
  blocks.set(3, right)
  await ask(3)
})

test('behavior: a commit whose verification failed for another reason is verified again', async () => {
  const [block] = makeBlocks(1).values()
  let isBroken = true
  const findInvalid: FindInvalid = (items) => {
    if (isBroken) throw new Error('the thread has ended')
    return findInvalidSignature(items)
  }
  const verifyAtHeight = async () => block as LightBlock
  const none = async (): Promise<undefined> => undefined
  const providers = () => ({ primary: nodeOf('a', new Map()), witnesses: [] })
  const light = { update: none, trustedBlock: none, verifyAtHeight, providers, replaceCommit: none }
  const commitAt = createVerifiedCommits({ light, logger: noopLogger, findInvalid })
  const { signal } = new AbortController()
  await expect(commitAt(1, signal)).rejects.toThrow('the thread has ended')
  isBroken = false
  expect(await commitAt(1, signal)).toMatchObject({ canonical: true })
})
