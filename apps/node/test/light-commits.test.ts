import { LIGHT_ERRORS, type LightBlock } from '@org/light'
import { Commit, type FindInvalid, Header } from '@org/types'
import { findInvalidSignature } from '@org/types/crypto'
import { expect, test } from 'vitest'
import { createVerifiedCommits } from '../src/light/verified-commits.ts'
import { makeBlocks } from './support/made-blocks.ts'

/** Makes the operation `commit` over given blocks, and counts the verifications of signatures. */
function startCommits(blocks: ReadonlyMap<number, LightBlock>) {
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
    },
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

test('error: a commit with a wrong signature is refused each time, also after the right commit was accepted', async () => {
  const blocks = new Map(makeBlocks(3))
  const { ask } = startCommits(blocks)
  await ask(3)
  const right = blocks.get(3) as LightBlock
  const signatures = right.commit.signatures.map((entry, index) =>
    index === 2 ? { ...entry, signature: new Uint8Array(64) } : entry,
  )
  blocks.set(3, { ...right, commit: { ...right.commit, signatures } })
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
  const light = { update: async () => undefined, trustedBlock: async () => undefined, verifyAtHeight }
  const commitAt = createVerifiedCommits({ light, findInvalid })
  const { signal } = new AbortController()
  await expect(commitAt(1, signal)).rejects.toThrow('the thread has ended')
  isBroken = false
  expect(await commitAt(1, signal)).toMatchObject({ canonical: true })
})
