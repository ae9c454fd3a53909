import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { Misbehavior } from '../../src/abci/index.ts'
import { bytesToHex, hexToBytes } from '../../src/bytes/index.ts'
import {
  Commit,
  ExtendedCommit,
  ensureExtensions,
  hashCommit,
  validateCommitBasic,
  validateExtendedCommitBasic,
} from '../../src/commit/index.ts'
import {
  byzantineValidators,
  Evidence,
  evidenceBytes,
  evidenceHeight,
  evidenceToMisbehavior,
  hashEvidence,
  hashEvidenceItem,
  isConflictingHeaderInvalid,
  validateEvidenceBasic,
} from '../../src/evidence/index.ts'
import { formatGenesis, GenesisError, genesisValidatorsHash, parseGenesis } from '../../src/genesis/index.ts'
import { Header, hashHeader, validateHeaderBasic } from '../../src/header/index.ts'
import { SignedHeader } from '../../src/light-block/index.ts'
import {
  ConsensusParams,
  defaultConsensusParams,
  hashConsensusParams,
  validateConsensusParams,
  validateParamsUpdate,
} from '../../src/params/index.ts'
import {
  makePartSet,
  maxDataBytes,
  maxDataBytesNoEvidence,
  type Part,
  partSetFromHeader,
  txProtoSize,
  validatePartBasic,
} from '../../src/parts/index.ts'
import {
  ValidatorSet,
  verifyCommit,
  verifyCommitLight,
  verifyCommitLightAllSignatures,
  verifyCommitLightSync,
  verifyCommitLightTrusting,
  verifyCommitLightTrustingAllSignatures,
  verifyCommitSync,
  verifyExtendedCommit,
} from '../../src/validators/index.ts'
import {
  formatProposal,
  formatVote,
  Proposal,
  proposalSignBytes,
  Vote,
  validateProposalBasic,
  validateProposalBlockSize,
  validateVoteBasic,
  voteExtensionSignBytes,
  voteSignBytes,
} from '../../src/vote/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: the shape of a vector depends on its kind.
type Vector = any

const vectors: readonly Vector[] = gunzipSync(readFileSync(new URL('reference.jsonl.gz', import.meta.url)))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const of = (kind: string): readonly Vector[] => {
  const found = vectors.filter((vector) => vector.kind === kind)
  expect(found.length).toBeGreaterThan(0)
  return found
}
const CHAIN = 'vector-chain'
const un = (text: string): Uint8Array => hexToBytes(text) as Uint8Array
const hex = (bytes: Uint8Array): string => bytesToHex(bytes).toLowerCase()

function errorOf(run: () => unknown): string {
  try {
    run()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

async function answered(run: () => Promise<unknown>): Promise<string> {
  return run().then(
    () => '',
    (error: Error) => error.message,
  )
}

describe('results of the reference', () => {
  test('default: votes are checked as in the reference', () => {
    for (const vector of of('vote')) {
      const vote = Vote.decode(un(vector.bytes))
      expect(errorOf(() => validateVoteBasic(vote))).toBe(vector.error)
      if (vector.signBytes !== '') expect(hex(voteSignBytes(CHAIN, vote))).toBe(vector.signBytes)
      expect(hex(voteExtensionSignBytes(CHAIN, vote))).toBe(vector.extensionSignBytes)
      if (vector.text !== '') expect(formatVote(vote)).toBe(vector.text)
    }
  })

  test('default: proposals are checked as in the reference', () => {
    for (const vector of of('proposal')) {
      const proposal = Proposal.decode(un(vector.bytes))
      expect(errorOf(() => validateProposalBasic(proposal))).toBe(vector.error)
      if (vector.signBytes !== '') expect(hex(proposalSignBytes(CHAIN, proposal))).toBe(vector.signBytes)
      expect(formatProposal(proposal)).toBe(vector.text)
    }
    for (const { total, max, error } of of('proposalSize')) {
      const blockId = { hash: new Uint8Array(32), partSetHeader: { total, hash: new Uint8Array(32) } }
      const proposal = Proposal.create({ blockId })
      expect(errorOf(() => validateProposalBlockSize(proposal, BigInt(max)))).toBe(error)
    }
  })

  test('default: headers are checked and hashed as in the reference', () => {
    for (const vector of of('header')) {
      const header = Header.decode(un(vector.bytes))
      expect(errorOf(() => validateHeaderBasic(header))).toBe(vector.error)
      expect(hex(hashHeader(header))).toBe(vector.hash)
    }
  })

  test('default: commits are checked and verified as in the reference', async () => {
    for (const vector of of('commit')) {
      const commit = Commit.decode(un(vector.bytes))
      const validators = ValidatorSet.decode(un(vector.validators))
      expect(errorOf(() => validateCommitBasic(commit))).toBe(vector.basic)
      expect(hex(hashCommit(commit))).toBe(vector.hash)
      // The first vector has a valid commit. The commits of all vectors are verified for the block id of this commit.
      const blockId = Commit.decode(un(of('commit')[0].bytes)).blockId
      const claim = { chainId: CHAIN, validators, blockId, height: 12, commit }
      const subset = ValidatorSet.decode(un(vector.subset))
      const trusting = { chainId: CHAIN, validators: subset, commit, trustLevel: { numerator: 1n, denominator: 3n } }
      const got = {
        full: await answered(() => verifyCommit(claim)),
        light: await answered(() => verifyCommitLight(claim)),
        lightAll: await answered(() => verifyCommitLightAllSignatures(claim)),
        trusting: await answered(() => verifyCommitLightTrusting(trusting)),
        trustingAll: await answered(() => verifyCommitLightTrustingAllSignatures(trusting)),
      }
      const { full, light, lightAll, trusting: some, trustingAll } = vector
      const want = { full, light, lightAll, trusting: some, trustingAll }
      for (const [name, text] of Object.entries(want)) {
        // If the reference panics, Halley throws a coded error.
        if ((text as string).startsWith('panic: ')) Object.assign(want, { [name]: got[name as keyof typeof got] })
      }
      expect(got).toEqual(want)
      expect(errorOf(() => verifyCommitSync(claim))).toBe(got.full)
      expect(errorOf(() => verifyCommitLightSync(claim))).toBe(got.light)
    }
  })

  test('default: extended commits are checked and verified as in the reference', async () => {
    for (const vector of of('extended')) {
      const commit = ExtendedCommit.decode(un(vector.bytes))
      const validators = ValidatorSet.decode(un(vector.validators))
      const blockId = ExtendedCommit.decode(un(of('extended')[0].bytes)).blockId
      expect(errorOf(() => validateExtendedCommitBasic(commit))).toBe(vector.basic)
      expect(errorOf(() => ensureExtensions(commit, true))).toBe(vector.on)
      expect(errorOf(() => ensureExtensions(commit, false))).toBe(vector.off)
      const claim = { chainId: CHAIN, validators, blockId, height: 12, commit }
      expect(await answered(() => verifyExtendedCommit(claim))).toBe(vector.verify)
    }
  })

  test('default: evidence is checked and hashed as in the reference', () => {
    for (const vector of of('evidence')) {
      const evidence = Evidence.decode(un(vector.bytes))
      expect(errorOf(() => validateEvidenceBasic(evidence))).toBe(vector.error)
      expect(hex(hashEvidenceItem(evidence))).toBe(vector.hash)
      expect(hex(evidenceBytes(evidence))).toBe(vector.inner)
      expect(hex(hashEvidence([evidence]))).toBe(vector.list)
      expect(evidenceHeight(evidence)).toBe(vector.height)
      const abci = evidenceToMisbehavior(evidence).map((entry) => ({ bytes: hex(Misbehavior.encode(entry)) }))
      expect(abci).toEqual(vector.abci)
      if (vector.trusted === undefined || evidence.sum?.case !== 'lightClientAttackEvidence') continue
      const trusted = SignedHeader.decode(un(vector.trusted))
      const common = ValidatorSet.decode(un(vector.common))
      expect(isConflictingHeaderInvalid(evidence.sum.value, trusted.header as Header)).toBe(vector.invalid)
      const found = byzantineValidators(evidence.sum.value, common, trusted)
      expect(found.map(({ address }) => bytesToHex(address))).toEqual(vector.byzantine ?? [])
    }
  })

  test('default: consensus params and their updates are checked as in the reference', () => {
    for (const vector of of('params')) {
      const params = ConsensusParams.decode(un(vector.bytes))
      expect(errorOf(() => validateConsensusParams(params))).toBe(vector.error)
      expect(hex(hashConsensusParams(params))).toBe(vector.hash)
    }
    for (const { now, next, height, error } of of('paramsUpdate')) {
      const params = { ...defaultConsensusParams(), abci: { voteExtensionsEnableHeight: now } }
      const update = { block: undefined, evidence: undefined, validator: undefined, version: undefined }
      const abci = { voteExtensionsEnableHeight: next }
      expect(errorOf(() => validateParamsUpdate(params, { ...update, abci }, height))).toBe(error)
    }
  })

  test('default: part sets are made as in the reference', () => {
    const [{ length, hash, total }] = of('partset') as [Vector]
    const whole = makePartSet(Uint8Array.from({ length }, (_, i) => i * 7))
    expect(whole.total).toBe(total)
    expect(hex(whole.header.hash)).toBe(hash)
    const part = whole.part(1) as Part
    const { proof } = part
    const broken: Record<string, Part> = {
      ok: part,
      short: { ...part, bytes: part.bytes.subarray(1) },
      long: { ...part, bytes: Uint8Array.of(...part.bytes, 1) },
      index: { ...part, index: 2 },
      outside: { ...part, index: 3 },
      total: { ...part, proof: { ...proof, total: 4 } },
      aunts: { ...part, proof: { ...proof, aunts: [] } },
      leaf: { ...part, proof: { ...proof, leafHash: Uint8Array.of(1) } },
      negative: { ...part, proof: { ...proof, total: -1 } },
    }
    for (const { name, basic, added, error } of of('part')) {
      const candidate = broken[name] as Part
      const set = partSetFromHeader(whole.header)
      expect(errorOf(() => validatePartBasic(candidate))).toBe(basic)
      expect(errorOf(() => set.addPart(candidate))).toBe(error)
      expect(set.count === 1).toBe(added)
    }
  })

  test('default: the limits of sizes are those of the reference', () => {
    for (const vector of of('size')) {
      const budget = { maxBytes: BigInt(vector.max), validators: vector.validators }
      if (vector.error === undefined) expect(maxDataBytes(budget, vector.evidence)).toBe(BigInt(vector.data))
      else expect(errorOf(() => maxDataBytes(budget, vector.evidence))).toBe(vector.error)
      if (vector.errorNoEvidence === undefined) {
        expect(maxDataBytesNoEvidence(budget)).toBe(BigInt(vector.dataNoEvidence))
      } else expect(errorOf(() => maxDataBytesNoEvidence(budget))).toBe(vector.errorNoEvidence)
    }
    for (const { length, size } of of('txSize')) expect(txProtoSize(new Uint8Array(length))).toBe(size)
  })

  test('default: genesis documents are read as in the reference', () => {
    for (const { text, error, saved, appState, validatorsHash } of of('genesis')) {
      // The Cosmos SDK writes the initial height as a number. Halley reads it, and the reference refuses it.
      if (text.includes('"initial_height":1')) continue
      if (error === '') {
        const doc = parseGenesis(text)
        expect(formatGenesis(doc)).toBe(saved)
        expect(doc.appState).toBe(appState)
        expect(hex(genesisValidatorsHash(doc))).toBe(validatorsHash)
        expect(parseGenesis(saved)).toEqual({ ...doc, appState: parseGenesis(saved).appState })
      } else expect(() => parseGenesis(text)).toThrow(Error)
      if (/^(genesis doc|chain_id in|initial_height|the genesis|incorrect|block\.)/.test(error)) {
        expect(errorOf(() => parseGenesis(text))).toBe(error)
      } else if (error !== '') expect(() => parseGenesis(text)).toThrow(GenesisError)
    }
  })
})
