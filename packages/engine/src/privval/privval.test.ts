import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackHome } from '@org/golden'
import { Proposal, proposalSignBytes, SignedMsgType, Vote, voteExtensionSignBytes, voteSignBytes } from '@org/types'
import { verifySignature } from '@org/types/crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { PRIVVAL_ERRORS } from './errors.ts'
import { createSigner } from './file-privval.ts'
import { generateFilePrivval, loadFilePrivval, loadOrGenerateFilePrivval, resetFilePrivval } from './files.ts'
import { keyFileText, loadKeyFile } from './key-file.ts'
import type { PrivValidator } from './priv-validator.ts'
import { INITIAL_SIGN_STATE, loadSignState, signStateText } from './sign-state.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'privval-'))
  return () => rmSync(directory, { recursive: true })
})

const files = () => ({ keyFile: join(directory, 'key.json'), stateFile: join(directory, 'state.json') })
const hash = new Uint8Array(32).fill(7)
const blockId = { hash, partSetHeader: { total: 1, hash } }
const vote = (fields: Partial<Vote> = {}): Vote =>
  Vote.create({ type: SignedMsgType.prevote, height: 5, round: 1, blockId, timestamp: 1000n, ...fields })
const proposal = (fields: Partial<Proposal> = {}): Proposal =>
  Proposal.create({
    type: SignedMsgType.proposal,
    height: 5,
    round: 1,
    polRound: -1,
    blockId,
    timestamp: 1000n,
    ...fields,
  })

async function fresh(): Promise<PrivValidator> {
  await generateFilePrivval(files())
  return loadFilePrivval(files())
}

describe('recall', () => {
  it('default: restores a signature that the signer lost, and then signs no other content for it', async () => {
    const privval = await fresh()
    const before = readFileSync(files().stateFile, 'utf8')
    const proposed = await privval.signProposal('test', proposal())
    const signed = await privval.signVote('test', vote())
    writeFileSync(files().stateFile, before)
    const forgetful = loadFilePrivval(files())
    expect(forgetful.recall?.('test', { kind: 'proposal', proposal: proposed })).toBe(true)
    expect(forgetful.recall?.('test', { kind: 'vote', vote: signed })).toBe(true)
    expect(forgetful.recall?.('test', { kind: 'vote', vote: signed })).toBe(false)
    expect(forgetful.recall?.('test', { kind: 'proposal', proposal: proposed })).toBe(false)
    await forgetful.makeDurable?.()
    expect(loadSignState(files().stateFile)).toMatchObject({ height: 5, round: 1, step: 2 })
    const other = { hash: new Uint8Array(32), partSetHeader: { total: 1, hash } }
    const again = loadFilePrivval(files()).signVote('test', vote({ blockId: other }))
    await expect(again).rejects.toMatchObject({ code: PRIVVAL_ERRORS.conflict })
  })

  it('error: ignores signatures of another key or another chain', async () => {
    const privval = await fresh()
    const signed = await privval.signVote('other', vote())
    await resetFilePrivval(files())
    const reset = loadFilePrivval(files())
    expect(reset.recall?.('test', { kind: 'vote', vote: signed })).toBe(false)
    expect(reset.recall?.('other', { kind: 'vote', vote: { ...signed, height: 6 } })).toBe(false)
    expect(reset.recall?.('other', { kind: 'vote', vote: signed })).toBe(true)
  })
})

describe('files', () => {
  it("default: the reference's files come back byte for byte", async () => {
    await unpackHome('kvstore-single/home.tar.gz', directory)
    const keyFile = join(directory, 'config/priv_validator_key.json')
    const stateFile = join(directory, 'data/priv_validator_state.json')
    expect(keyFileText(loadKeyFile(keyFile))).toBe(readFileSync(keyFile, 'utf8'))
    expect(signStateText(loadSignState(stateFile))).toBe(readFileSync(stateFile, 'utf8'))
    const privval = loadFilePrivval({ keyFile, stateFile })
    await privval.signVote('test', vote({ height: 1000 }))
    expect(loadSignState(stateFile)).toMatchObject({ height: 1000, round: 1, step: 2 })
  })

  it('default: a new state has no signature and no sign bytes', async () => {
    await loadOrGenerateFilePrivval(files())
    expect(readFileSync(files().stateFile, 'utf8')).toBe('{\n  "height": "0",\n  "round": 0,\n  "step": 0\n}')
    expect(existsSync(`${files().stateFile}.tmp`)).toBe(false)
  })

  it('behavior: reset forgets the state and keeps the key', async () => {
    const privval = await fresh()
    await privval.signVote('test', vote())
    await resetFilePrivval(files())
    const again = loadFilePrivval(files())
    expect(again.pubKey()).toEqual(privval.pubKey())
    await again.signVote('test', vote({ height: 1 }))
  })

  it('error: no new key is made while the key file of a validator that signed is missing', async () => {
    const privval = await loadOrGenerateFilePrivval(files())
    await privval.signVote('test', vote())
    const [key, state] = [readFileSync(files().keyFile, 'utf8'), readFileSync(files().stateFile, 'utf8')]
    rmSync(files().keyFile)
    const { keyFile, stateFile } = files()
    await expect(loadOrGenerateFilePrivval(files())).rejects.toMatchObject({
      code: PRIVVAL_ERRORS.keyGone,
      data: { path: keyFile, stateFile, height: 5 },
      message: expect.stringContaining('put the key file back'),
    })
    expect([existsSync(keyFile), readFileSync(stateFile, 'utf8')]).toEqual([false, state])
    // The operator puts the key file back. The state file was never removed, so it still prevents a conflicting
    // signature.
    writeFileSync(keyFile, key)
    expect(loadSignState(stateFile).height).toBe(5)
    const other = { hash: new Uint8Array(32), partSetHeader: { total: 1, hash } }
    const again = (await loadOrGenerateFilePrivval(files())).signVote('test', vote({ blockId: other }))
    await expect(again).rejects.toMatchObject({ code: PRIVVAL_ERRORS.conflict })
  })

  it('behavior: a damaged state file is not replaced either, but a state without a height is replaced', async () => {
    writeFileSync(files().stateFile, '{')
    await expect(loadOrGenerateFilePrivval(files())).rejects.toMatchObject({ code: PRIVVAL_ERRORS.corrupt })
    expect([existsSync(files().keyFile), readFileSync(files().stateFile, 'utf8')]).toEqual([false, '{'])
    writeFileSync(files().stateFile, signStateText(INITIAL_SIGN_STATE))
    await loadOrGenerateFilePrivval(files())
    expect(existsSync(files().keyFile)).toBe(true)
  })

  it.each([
    ['key', 'keyFile', '{"priv_key":{"type":"tendermint/PrivKeyEd25519","value":"AAAA"}}'],
    ['key', 'keyFile', '{'],
    ['state', 'stateFile', '{"height":5}'],
    ['state', 'stateFile', '{"height":"5","round":0,"step":9}'],
    ['state', 'stateFile', '{"height":"5","round":0,"step":1,"signbytes":"00"}'],
    ['state', 'stateFile', '{"heighu":"5","round":0,"step":1}'],
    ['state', 'stateFile', '{"height":"5","rounc":2,"step":1}'],
    ['state', 'stateFile', '{"height":"5","round":0,"stfp":3}'],
    ['state', 'stateFile', ''],
  ] as const)('error: a corrupt %s file is named and stays', async (_, which, text) => {
    await fresh()
    writeFileSync(files()[which], text)
    expect(() => loadFilePrivval(files())).toThrow(
      expect.objectContaining({ code: PRIVVAL_ERRORS.corrupt, data: { path: files()[which] } }),
    )
    expect(readFileSync(files()[which], 'utf8')).toBe(text)
  })

  it('error: a key whose public half belongs to another key is refused, with the right public key', async () => {
    const wanted = (await fresh()).pubKey().bytes
    const file = JSON.parse(readFileSync(files().keyFile, 'utf8'))
    const bytes = Buffer.from(file.priv_key.value, 'base64')
    bytes.fill(7, 32)
    writeFileSync(files().keyFile, JSON.stringify({ priv_key: { ...file.priv_key, value: bytes.toString('base64') } }))
    expect(() => loadFilePrivval(files())).toThrow(
      expect.objectContaining({
        code: PRIVVAL_ERRORS.corrupt,
        cause: expect.objectContaining({ code: 'CRYPTO_KEY_MISMATCH' }),
        message: expect.stringContaining(`to end in its public key, ${Buffer.from(wanted).toString('base64')}`),
      }),
    )
  })

  it('error: the message for a damaged key file does not contain a part of the key', async () => {
    await fresh()
    const file = JSON.parse(readFileSync(files().keyFile, 'utf8'))
    writeFileSync(files().keyFile, `key ${file.priv_key.value}`)
    const part = file.priv_key.value.slice(0, 5)
    expect(() => loadFilePrivval(files())).toThrow('it is not valid JSON')
    expect(() => loadFilePrivval(files())).not.toThrow(part)
  })

  it('error: a missing state file is not replaced by a new one', async () => {
    await fresh()
    rmSync(files().stateFile)
    expect(() => loadFilePrivval(files())).toThrow(expect.objectContaining({ code: PRIVVAL_ERRORS.missing }))
  })
})

describe('signing', () => {
  it('default: signatures verify', async () => {
    const privval = await fresh()
    const key = privval.pubKey()
    const signedProposal = await privval.signProposal('test', proposal())
    expect(verifySignature(key, proposalSignBytes('test', signedProposal), signedProposal.signature)).toBe(true)
    const prevote = await privval.signVote('test', vote())
    expect(verifySignature(key, voteSignBytes('test', prevote), prevote.signature)).toBe(true)
    expect(prevote.extensionSignature.length).toBe(0)
    const extension = new Uint8Array([1, 2])
    const precommit = await privval.signVote('test', vote({ type: SignedMsgType.precommit, extension }))
    expect(verifySignature(key, voteExtensionSignBytes('test', precommit), precommit.extensionSignature)).toBe(true)
  })

  it('behavior: an extension is signed only if it is wanted, and never in a vote for nil', async () => {
    const privval = await fresh()
    const type = SignedMsgType.precommit
    const off = await privval.signVote('test', vote({ type }), { withExtension: false })
    expect(off.extensionSignature.length).toBe(0)
    const nil = await privval.signVote('test', Vote.create({ type, height: 6 }))
    expect(nil.extensionSignature.length).toBe(0)
    const bad = Vote.create({ type, height: 7, extension: new Uint8Array(1) })
    await expect(privval.signVote('test', bad)).rejects.toMatchObject({ code: PRIVVAL_ERRORS.malformed })
  })

  it('behavior: the first signature and time come back if only the time differs, also after a restart', async () => {
    const first = await (await fresh()).signVote('test', vote())
    const again = await loadFilePrivval(files()).signVote('test', vote({ timestamp: 2000n }))
    expect(again).toEqual(first)
    const signed = await loadFilePrivval(files()).signProposal('test', proposal({ round: 2 }))
    expect(await loadFilePrivval(files()).signProposal('test', proposal({ round: 2, timestamp: 9n }))).toEqual(signed)
  })

  it('behavior: an extension is signed again for the same vote', async () => {
    const privval = await fresh()
    const type = SignedMsgType.precommit
    const first = await privval.signVote('test', vote({ type, extension: new Uint8Array([1]) }))
    const second = await privval.signVote('test', vote({ type, extension: new Uint8Array([2]) }))
    expect(second.signature).toEqual(first.signature)
    expect(second.extensionSignature).not.toEqual(first.extensionSignature)
  })

  it('error: refuses other content for the same step', async () => {
    const privval = await fresh()
    await privval.signProposal('test', proposal())
    const conflict = { code: PRIVVAL_ERRORS.conflict }
    await expect(privval.signProposal('test', proposal({ polRound: 0 }))).rejects.toMatchObject(conflict)
    await privval.signVote('test', vote())
    await expect(privval.signVote('other', vote())).rejects.toMatchObject(conflict)
  })

  it('error: refuses earlier heights, rounds and steps', async () => {
    const privval = await fresh()
    await privval.signVote('test', vote({ type: SignedMsgType.precommit }))
    const code = PRIVVAL_ERRORS.regression
    await expect(privval.signVote('test', vote({ height: 4 }))).rejects.toMatchObject({ code })
    await expect(privval.signVote('test', vote({ round: 0 }))).rejects.toMatchObject({ code })
    await expect(privval.signVote('test', vote())).rejects.toMatchObject({ code })
    await expect(privval.signProposal('test', proposal())).rejects.toMatchObject({ code })
  })

  it('behavior: one write saves deferred signatures, after the data that they follow from is durable', async () => {
    const key = await generateFilePrivval(files())
    const writes: number[] = []
    const save = async (state: { step: number }, after?: Promise<unknown>): Promise<void> => {
      await after
      writes.push(state.step)
    }
    const privval = createSigner(key, INITIAL_SIGN_STATE, { save })
    const deferred = { deferred: true }
    await privval.signProposal('test', proposal(), deferred)
    await privval.signVote('test', vote(), deferred)
    expect(writes).toEqual([])
    let log = (): void => undefined
    const written = privval.makeDurable?.(new Promise<void>((resolve) => (log = resolve)))
    // The call of `makeDurable` above received a promise. The function `log` resolves this promise when the inputs of
    // the proposal and of the prevote are durable. At that time, the inputs of the precommit below need not be durable.
    // So the call above must save the prevote as the last signed message, and not the precommit.
    await privval.signVote('test', vote({ type: SignedMsgType.precommit }), deferred)
    expect(writes).toEqual([])
    log()
    await written
    expect(writes).toEqual([2])
    await privval.makeDurable?.()
    await privval.makeDurable?.()
    expect(writes).toEqual([2, 3])
    await privval.signVote('test', vote({ height: 6 }))
    expect(writes).toEqual([2, 3, 2])
  })

  it('behavior: an existing state is saved before a message is shown, because a killed process may have written it', async () => {
    const key = await generateFilePrivval(files())
    const found = { ...INITIAL_SIGN_STATE, height: 4, signature: new Uint8Array(64), signBytes: new Uint8Array(2) }
    const heights: number[] = []
    const privval = createSigner(key, found, { save: async ({ height }) => void heights.push(height) })
    await privval.makeDurable?.()
    await privval.makeDurable?.()
    expect(heights).toEqual([4])
  })

  it('behavior: keeps the old state if the data before the new one could not be saved', async () => {
    const privval = await fresh()
    const before = readFileSync(files().stateFile, 'utf8')
    await privval.signVote('test', vote(), { deferred: true })
    await expect(privval.makeDurable?.(Promise.reject(new Error('log')))).rejects.toThrow('log')
    expect(readFileSync(files().stateFile, 'utf8')).toBe(before)
    expect(existsSync(`${files().stateFile}.tmp`)).toBe(false)
  })

  it('error: signs nothing after a failed write', async () => {
    const key = await generateFilePrivval(files())
    let saves = 0
    const privval = createSigner(key, INITIAL_SIGN_STATE, {
      save: () => (saves++ === 0 ? Promise.reject(new Error('no space')) : Promise.resolve()),
    })
    await expect(privval.signVote('test', vote())).rejects.toThrow('no space')
    await expect(privval.signVote('test', vote({ height: 9 }))).rejects.toMatchObject({ code: PRIVVAL_ERRORS.io })
    expect(saves).toBe(1)
  })
})
