import { ResponseFinalizeBlock } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { describe, expect, test } from 'vitest'
import { createKvStore, RULES } from '../src/index.ts'
import { recordedChain } from './blocks.ts'
import { expectUnchangedRequests } from './helpers.ts'

const CHAINS = [
  ['kvstore-single', 'db-dump.jsonl.gz'],
  ['kvstore-four', 'db-dump-node0.jsonl.gz'],
] as const

describe.each(RULES)('default: under %s the recorded blocks give the recorded results', (rules) => {
  test.each(CHAINS)('%s', async (scenario, dump) => {
    const { initChain, blocks } = recordedChain(scenario, dump)
    expect(blocks.length).toBeGreaterThan(30)
    const app = expectUnchangedRequests(createKvStore({ rules }))
    let { appHash } = await app.initChain(initChain)
    for (const { request, response, appHash: before } of blocks) {
      expect(bytesToHex(appHash ?? new Uint8Array(0))).toBe(bytesToHex(before))
      expect((await app.processProposal({ ...request, proposedLastCommit: request.decidedLastCommit })).status).toBe(1)
      const ours = ResponseFinalizeBlock.create(await app.finalizeBlock(request))
      expect(bytesToHex(ResponseFinalizeBlock.encode(ours)), `height ${request.height}`).toBe(
        bytesToHex(ResponseFinalizeBlock.encode(response)),
      )
      appHash = ours.appHash
      await app.commit({})
    }
    await app.close()
  })
})
