import { recordingLines, STORE_DUMPS } from '@org/golden'
import { describe, expect, test } from 'vitest'
import { ResponseFinalizeBlock } from '../../src/abci/index.ts'
import {
  Block,
  BlockMeta,
  hashBlock,
  hashResults,
  makeBlockMeta,
  medianTime,
  validateBlockBasic,
  validateBlockMetaBasic,
} from '../../src/block/index.ts'
import { bytesToHex, hexToBytes } from '../../src/bytes/index.ts'
import {
  Commit,
  ExtendedCommit,
  extendedCommitToCommit,
  validateCommitBasic,
  validateExtendedCommitBasic,
} from '../../src/commit/index.ts'
import { validateEvidenceBasic } from '../../src/evidence/index.ts'
import { encodeGenesis, genesisValidatorsHash, parseGenesis } from '../../src/genesis/index.ts'
import { ConsensusParams, hashConsensusParams, validateConsensusParams } from '../../src/params/index.ts'
import { makePartSet, Part, partSetFromHeader, validatePartBasic } from '../../src/parts/index.ts'
import { ConsensusParamsInfo, State, ValidatorsInfo } from '../../src/state/index.ts'
import {
  copyIncrementProposerPriority,
  hashValidators,
  proposerOf,
  type ValidatorSet,
  validateValidatorSetBasic,
  verifyCommit,
  verifyCommitLight,
  verifyCommitLightTrusting,
  verifyExtendedCommit,
} from '../../src/validators/index.ts'

interface Pair {
  readonly db: string
  readonly key: string
  readonly value: string
}

interface Chain {
  readonly chainId: string
  readonly heights: readonly number[]
  readonly get: (db: string, key: string) => Uint8Array | undefined
  readonly validators: (height: number) => ValidatorSet | undefined
  /** True if the set of a height came from a light client, not from the rotation. */
  readonly isRebuilt: (height: number) => boolean
}

const text = new TextDecoder('latin1')

function openDump(path: string): Chain {
  const values = new Map<string, Uint8Array>()
  for (const { db, key, value } of recordingLines<Pair>(path)) {
    values.set(`${db}/${text.decode(hexToBytes(key))}`, hexToBytes(value) as Uint8Array)
  }
  const get = (db: string, key: string): Uint8Array | undefined => values.get(`${db}/${key}`)
  const heights = [...values.keys()]
    .filter((key) => key.startsWith('blockstore/H:'))
    .map((key) => Number(key.slice(13)))
    .sort((a, b) => a - b)
  const validators = (height: number): ValidatorSet | undefined => {
    const bytes = get('state', `validatorsKey:${height}`)
    if (bytes === undefined) return undefined
    const info = ValidatorsInfo.decode(bytes)
    if (info.validatorSet !== undefined) return info.validatorSet
    const stored = get('state', `validatorsKey:${info.lastHeightChanged}`)
    const set = stored === undefined ? undefined : ValidatorsInfo.decode(stored).validatorSet
    return set === undefined ? undefined : copyIncrementProposerPriority(set, height - info.lastHeightChanged)
  }
  const { chainId, initialHeight } = State.decode(get('state', 'stateKey') as Uint8Array)
  // State sync stores the validator sets of the snapshot's height and of the two next heights. The first block in the
  // block store is one height above the snapshot.
  const synced = get('blockstore', `P:${initialHeight}:0`) === undefined && path.includes('node2')
  const isRebuilt = (height: number): boolean => synced && height <= (heights[0] as number) + 1
  return { chainId, heights, get, validators, isRebuilt }
}

const hex = bytesToHex

describe.each(STORE_DUMPS)('%s', (path) => {
  const chain = openDump(path)
  const block = (height: number): Block => {
    const meta = BlockMeta.decode(chain.get('blockstore', `H:${height}`) as Uint8Array)
    const parts = partSetFromHeader(meta.blockId.partSetHeader)
    for (let i = 0; i < meta.blockId.partSetHeader.total; i++) {
      const part = Part.decode(chain.get('blockstore', `P:${height}:${i}`) as Uint8Array)
      validatePartBasic(part)
      expect(parts.addPart(part)).toBe(true)
      expect(parts.addPart(part)).toBe(false)
    }
    expect(parts.isComplete).toBe(true)
    return Block.decode(parts.bytes)
  }

  test('default: stored blocks are valid, and their parts and metas belong to them', () => {
    expect(chain.heights.length).toBeGreaterThan(5)
    for (const height of chain.heights) {
      const meta = BlockMeta.decode(chain.get('blockstore', `H:${height}`) as Uint8Array)
      const found = block(height)
      validateBlockBasic(found)
      validateBlockMetaBasic(meta)
      expect(hex(hashBlock(found))).toBe(hex(meta.blockId.hash))
      const parts = makePartSet(Block.encode(found))
      expect(makeBlockMeta(found, parts)).toEqual(meta)
      for (const part of parts.parts) {
        const stored = chain.get('blockstore', `P:${height}:${part?.index}`) as Uint8Array
        expect(hex(Part.encode(part as Part))).toBe(hex(stored))
      }
      for (const evidence of found.evidence.evidence) validateEvidenceBasic(evidence)
    }
  })

  test('default: each header has the hashes of the state, the median time and the proposer', () => {
    let [sets, results, times, proposers] = [0, 0, 0, 0]
    for (const height of chain.heights) {
      const { header, lastCommit } = block(height)
      const [set, next] = [chain.validators(height), chain.validators(height + 1)]
      if (set !== undefined) {
        validateValidatorSetBasic(set)
        expect(hex(hashValidators(set))).toBe(hex(header.validatorsHash))
        sets++
        const commit = chain.get('blockstore', `C:${height}`) ?? chain.get('blockstore', `SC:${height}`)
        const { round } = Commit.decode(commit as Uint8Array)
        const atRound = round === 0 ? set : copyIncrementProposerPriority(set, round)
        // State sync takes its validator sets from a light client. In each set, the light client takes the validator
        // with the lowest priority as the proposer. A validator that has just joined can have the lowest priority. Then
        // the proposer of the set is not the proposer of the block.
        if (!chain.isRebuilt(height)) {
          expect(hex(proposerOf(atRound)?.address ?? new Uint8Array(0))).toBe(hex(header.proposerAddress))
          proposers++
        }
      }
      if (next !== undefined) expect(hex(hashValidators(next))).toBe(hex(header.nextValidatorsHash))
      const previous = chain.get('state', `abciResponsesKey:${height - 1}`)
      if (previous !== undefined) {
        const { txResults } = ResponseFinalizeBlock.decode(previous)
        expect(hex(hashResults(txResults))).toBe(hex(header.lastResultsHash))
        results++
      }
      const params = paramsAt(chain, height)
      if (params !== undefined) {
        validateConsensusParams(params)
        expect(hex(hashConsensusParams(params))).toBe(hex(header.consensusHash))
      }
      const last = chain.validators(height - 1)
      if (last !== undefined && lastCommit !== undefined && lastCommit.height > 0) {
        expect(medianTime(lastCommit, last)).toBe(header.time)
        times++
      }
    }
    expect(Math.min(sets, results, times, proposers)).toBeGreaterThan(5)
  })

  test('default: every commit passes the full, the light and the trusting verification', async () => {
    let verified = 0
    for (const height of chain.heights) {
      const meta = BlockMeta.decode(chain.get('blockstore', `H:${height}`) as Uint8Array)
      const validators = chain.validators(height)
      if (validators === undefined) continue
      for (const key of [`C:${height}`, `SC:${height}`]) {
        const bytes = chain.get('blockstore', key)
        if (bytes === undefined) continue
        const commit = Commit.decode(bytes)
        validateCommitBasic(commit)
        const claim = { chainId: chain.chainId, validators, blockId: meta.blockId, height, commit }
        await verifyCommit(claim)
        await verifyCommitLight(claim)
        await verifyCommitLightTrusting({ ...claim, trustLevel: { numerator: 1n, denominator: 3n } })
        await expect(verifyCommit({ ...claim, chainId: 'another' })).rejects.toThrow(/^wrong signature \(#\d+\)/)
        verified++
      }
      const extended = chain.get('blockstore', `EC:${height}`)
      if (extended !== undefined) {
        const commit = ExtendedCommit.decode(extended)
        validateExtendedCommitBasic(commit)
        validateCommitBasic(extendedCommitToCommit(commit))
        await verifyExtendedCommit({ chainId: chain.chainId, validators, blockId: meta.blockId, height, commit })
      }
    }
    expect(verified).toBeGreaterThan(10)
  })

  test('default: the genesis in the state database is read and written again to the same text', () => {
    const bytes = chain.get('state', 'genesisDoc') as Uint8Array
    const stored = new TextDecoder().decode(bytes)
    const doc = parseGenesis(stored)
    expect(encodeGenesis(doc)).toBe(stored)
    const first = chain.heights[0] as number
    if (first === doc.initialHeight) {
      const state = block(first).header
      if (doc.validators.length > 0) expect(hex(genesisValidatorsHash(doc))).toBe(hex(state.validatorsHash))
      expect(state.time).toBe(doc.genesisTime)
    }
  })
})

function paramsAt(chain: Chain, height: number): ConsensusParams | undefined {
  const bytes = chain.get('state', `consensusParamsKey:${height}`)
  if (bytes === undefined) return undefined
  const info = ConsensusParamsInfo.decode(bytes)
  const changed = info.consensusParams.block?.maxBytes === 0n || info.consensusParams.block === undefined
  const source = changed ? chain.get('state', `consensusParamsKey:${info.lastHeightChanged}`) : bytes
  if (source === undefined) return undefined
  const { consensusParams } = ConsensusParamsInfo.decode(source)
  const { block, evidence, validator, version, abci } = consensusParams
  if (block === undefined || evidence === undefined || validator === undefined) return undefined
  return ConsensusParams.create({
    block,
    evidence,
    validator,
    ...(version === undefined ? {} : { version }),
    ...(abci === undefined ? {} : { abci }),
  })
}
