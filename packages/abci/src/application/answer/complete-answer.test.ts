import { runInNewContext } from 'node:vm'
import { ExecTxResult, ResponseCheckTx, type ResponseFinalizeBlock } from '@org/types/abci'
import { describe, expect, test } from 'vitest'
import type { MethodName } from '../../messages/index.ts'
import { checkApplication } from '../check-application.ts'
import { createApplicationHost } from '../host.ts'
import { completeAnswer } from './index.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const key = { type: 'ed25519', bytes: new Uint8Array(32) }

describe('default: an answer is completed', () => {
  test('numbers are accepted as integers of 64 bits, and bigints as smaller integers', () => {
    expect(completeAnswer('checkTx', { gasWanted: 1, gasUsed: -2, code: 3n })).toMatchObject({
      gasWanted: 1n,
      gasUsed: -2n,
      code: 3,
    })
    expect(completeAnswer('info', { appVersion: 7, lastBlockHeight: 5n })).toMatchObject({
      appVersion: 7n,
      lastBlockHeight: 5,
    })
    const params = { block: { maxBytes: 1000, maxGas: -1 }, evidence: undefined }
    expect(completeAnswer('initChain', { consensusParams: params }).consensusParams).toMatchObject({
      block: { maxBytes: 1000n, maxGas: -1n },
      evidence: undefined,
    })
  })

  test('text in place of bytes is its UTF-8 bytes, at any depth', () => {
    const answer: ResponseFinalizeBlock = completeAnswer('finalizeBlock', {
      appHash: 'ß1',
      txResults: [{ data: '0a' }],
    })
    expect(answer.appHash).toEqual(utf8('ß1'))
    expect(answer.txResults[0]?.data).toEqual(utf8('0a'))
    expect(completeAnswer('prepareProposal', { txs: ['a', utf8('b')] }).txs).toEqual([utf8('a'), utf8('b')])
  })

  test('members that are left out, or undefined, are zero; so is `index` of an attribute', () => {
    const { events } = completeAnswer('checkTx', {
      log: undefined,
      events: [{ attributes: [{ key: 'k', value: 'v' }] }],
    })
    expect(events).toEqual([{ type: '', attributes: [{ key: 'k', value: 'v', index: false }] }])
    expect(completeAnswer('commit', undefined)).toEqual({ retainHeight: 0 })
    expect(completeAnswer('initChain', undefined).validators).toEqual([])
  })

  test('an instance of a class is read with its getters, at any depth, and then its other fields are ignored', () => {
    class Base {
      readonly _code: number
      readonly note = 'a field of the class'
      constructor(code: number) {
        this._code = code
      }
      get code(): number {
        return this._code
      }
    }
    class Result extends Base {
      get gasWanted(): number {
        return 7
      }
      get isRefused(): boolean {
        return this.code !== 0
      }
    }
    class Plain {
      readonly code = 4
    }
    expect(completeAnswer('checkTx', new Result(5))).toEqual(ResponseCheckTx.create({ code: 5, gasWanted: 7n }))
    expect(completeAnswer('checkTx', Object.create({ code: 5 }))).toEqual(ResponseCheckTx.create({ code: 5 }))
    expect(completeAnswer('checkTx', Object.assign(Object.create(null), { code: 3 }))).toMatchObject({ code: 3 })
    const { txResults } = completeAnswer('finalizeBlock', { txResults: [new Result(1), new Result(2), new Plain()] })
    expect(txResults.map(({ code }) => code)).toEqual([1, 2, 4])
  })

  test('an object of another realm is accepted', () => {
    expect(completeAnswer('checkTx', runInNewContext('({ code: 6 })'))).toMatchObject({ code: 6 })
    expect(() => completeAnswer('checkTx', runInNewContext('({ codes: 6 })'))).toThrow(/codes must be left out/)
    expect(() => completeAnswer('checkTx', runInNewContext('new Error("x")'))).toThrow(
      /got an Error with the message "x"/,
    )
  })

  test('a complete answer is returned without a copy', () => {
    const result = ExecTxResult.create({ code: 1 })
    const txResults = [result, result]
    const whole = completeAnswer('finalizeBlock', { txResults })
    expect(whole.txResults).toBe(txResults)
    expect(completeAnswer('finalizeBlock', whole)).toBe(whole)
    const mixed = completeAnswer('finalizeBlock', { txResults: [result, {}] })
    expect(mixed.txResults[0]).toBe(result)
  })
})

const at = 'txResults[0].events[0].attributes[0].value'
const attribute = (value: unknown): object => ({ txResults: [{ events: [{ attributes: [{ key: 'k', value }] }] }] })

describe('error: a wrong answer is refused, and the error has the method, the field, the given value and the wanted value', () => {
  test.each<[MethodName, unknown, string]>([
    [
      'checkTx',
      { gasWanted: 1.5 },
      'checkTx: gasWanted must be a whole number of 64 bits (a bigint, or a number that is a safe integer), got number 1.5',
    ],
    [
      'checkTx',
      { gasWanted: 2 ** 53 },
      'checkTx: gasWanted must be a whole number of 64 bits (a bigint, or a number that is a safe integer), got number 9007199254740992',
    ],
    [
      'checkTx',
      { gasUsed: 2n ** 63n },
      'checkTx: gasUsed must be a whole number of 64 bits (a bigint, or a number that is a safe integer), got bigint 9223372036854775808n',
    ],
    ['checkTx', { code: -1 }, 'checkTx: code must be a whole number from 0 to 4294967295, got number -1'],
    ['checkTx', { code: '1' }, 'checkTx: code must be a whole number from 0 to 4294967295, got text "1"'],
    ['checkTx', 0, 'checkTx: the answer must be an object with members such as code, data, log, got number 0'],
    [
      'checkTx',
      undefined,
      'checkTx: the answer must be an object with members such as code, data, log, got nothing (undefined)',
    ],
    ['checkTx', { log: utf8('no') }, 'checkTx: log must be text (a string), got 2 bytes'],
    [
      'checkTx',
      { gas_wanted: 1n },
      'checkTx: gas_wanted must be left out (the members are code, data, log, info, gasWanted, gasUsed, events, codespace), got bigint 1n',
    ],
    ['query', 'value', 'query: the answer must be an object with members such as code, log, info, got text "value"'],
    [
      'query',
      { value: [1, 2] },
      'query: value must be bytes (a Uint8Array, or text, which is encoded as UTF-8), got a list of 2',
    ],
    [
      'query',
      { value: null },
      'query: value must be bytes (a Uint8Array, or text, which is encoded as UTF-8), got null',
    ],
    ['finalizeBlock', attribute(5), `finalizeBlock: ${at} must be text (a string), got number 5`],
    [
      'finalizeBlock',
      { txResults: {} },
      'finalizeBlock: txResults must be a list (an array), got an object without members',
    ],
    [
      'finalizeBlock',
      { txResults: [undefined] },
      'finalizeBlock: txResults[0] must be an object with members such as code, data, log, got nothing (undefined)',
    ],
    [
      'finalizeBlock',
      { txResults: new Array(1) },
      'finalizeBlock: txResults[0] must be an object with members such as code, data, log, got nothing (undefined)',
    ],
    [
      'finalizeBlock',
      { validatorUpdates: [{ pubKey: 'x', power: 1 }] },
      'finalizeBlock: validatorUpdates[0].pubKey must be a public key: { type, bytes } with 32 bytes for ed25519 or 33 for secp256k1, got text "x"',
    ],
    [
      'finalizeBlock',
      { validatorUpdates: [{ pubKey: { type: 'ed25519', bytes: 'abc' } }] },
      'finalizeBlock: validatorUpdates[0].pubKey.bytes must be 32 bytes, got 3 bytes',
    ],
    [
      'finalizeBlock',
      { validatorUpdates: [{ power: 1 }] },
      'finalizeBlock: validatorUpdates[0].pubKey must be a public key: { type, bytes } with 32 bytes for ed25519 or 33 for secp256k1, got nothing (undefined)',
    ],
    [
      'finalizeBlock',
      { validatorUpdates: [{ pubKey: key, power: 'x' }] },
      'finalizeBlock: validatorUpdates[0].power must be a whole number of 64 bits (a bigint, or a number that is a safe integer), got text "x"',
    ],
    [
      'finalizeBlock',
      { consensusParamUpdates: { block: { maxBytes: '1' } } },
      'finalizeBlock: consensusParamUpdates.block.maxBytes must be a whole number of 64 bits (a bigint, or a number that is a safe integer), got text "1"',
    ],
    [
      'processProposal',
      true,
      'processProposal: the answer must be an object with members such as status, got boolean true',
    ],
    [
      'processProposal',
      { status: 'accept' },
      'processProposal: status must be one of 0 (unknown), 1 (accept), 2 (reject), got text "accept"',
    ],
    [
      'info',
      { lastBlockHeight: 1.5 },
      'info: lastBlockHeight must be a whole number from -9007199254740991 to 9007199254740991, got number 1.5',
    ],
    [
      'listSnapshots',
      { snapshots: [{ height: -1 }] },
      'listSnapshots: snapshots[0].height must be a whole number from 0 to 9007199254740991, got number -1',
    ],
  ])('%s %o', (method, answer, message) => {
    const host = createApplicationHost({ [method]: () => answer } as never)
    const call = (): unknown => host.call(method, {} as never)
    const code = 'ABCI_BAD_ANSWER'
    expect(call).toThrow(expect.objectContaining({ code, message, data: expect.objectContaining({ method }) }))
  })

  test('a call rejects if the promise of the application resolves to a wrong answer', async () => {
    const host = createApplicationHost({ query: async () => ({ height: 'x' }) as never })
    await expect(host.call('query', {} as never)).rejects.toMatchObject({ code: 'ABCI_BAD_ANSWER' })
  })

  test('the error message is short, for a given text of any length', () => {
    expect(() => completeAnswer('checkTx', { code: 'x'.repeat(1_000_000) })).toThrow(/^.{1,200}$/)
  })

  test('a member of Object.prototype is not a member of an answer', () => {
    expect(() => completeAnswer('checkTx', { toString: 1 })).toThrow(/toString must be left out/)
    expect(completeAnswer('checkTx', {})).toEqual(ResponseCheckTx.create())
  })

  class Empty {}
  class Misspelt {
    get code(): number {
      return 1
    }
    get gas_wanted(): number {
      return 1
    }
  }
  test.each<[unknown, string]>([
    [new Error('no funds'), 'an Error with the message "no funds"'],
    [Object.assign(new RangeError('far'), { code: 5 }), 'an Error with the message "far"'],
    [new Map([['code', 5]]), 'an object of the type Map'],
    [new Set([5]), 'an object of the type Set'],
    [new Date(0), 'an object of the type Date'],
    [[{ code: 5 }], 'a list of 1'],
    [Promise.resolve({ code: 5 }), 'a promise'],
    [new Empty(), 'an instance of Empty without members'],
  ])('%o is refused as an answer, and as a result inside an answer', (value, given) => {
    const wanted = 'an object with members such as code, data, log'
    const message = (what: string): RegExp => new RegExp(`^${what}, got ${given}$`)
    expect(() => completeAnswer('checkTx', value)).toThrow(message(`checkTx: the answer must be ${wanted}`))
    const answer = { txResults: [{ code: 0 }, value] }
    expect(() => completeAnswer('finalizeBlock', answer)).toThrow(
      message(`finalizeBlock: txResults\\[1\\] must be ${wanted}`),
    )
  })

  test('a getter with a misspelt name is refused, for the first and the second instance of the class', () => {
    for (const _ of [1, 2]) {
      expect(() => completeAnswer('checkTx', new Misspelt())).toThrow(/^checkTx: gas_wanted must be left out/)
    }
  })

  test('the error message shows an unknown type of a public key', () => {
    const validators = [{ pubKey: { type: 'Ed25519', bytes: new Uint8Array(32) }, power: 1 }]
    expect(() => completeAnswer('initChain', { validators })).toThrow(
      /^initChain: validators\[0\]\.pubKey\.type must be one of ed25519, secp256k1, got text "Ed25519"$/,
    )
  })
})

describe('error: an invalid application is refused, and the error says what to write', () => {
  class Token {
    checkTx(): object {
      return {}
    }
  }
  test.each<[unknown, string]>([
    [Token, 'app is the class Token: pass an instance of it, `new Token()`'],
    [() => new Token(), 'app is a function: call it and pass the application that it returns'],
    [undefined, 'app must be an object with methods such as checkTx and finalizeBlock, got nothing (undefined)'],
    [{ checkTx: 5 }, 'app.checkTx must be a function, got number 5'],
    [
      Promise.resolve(new Token()),
      'app is a promise: write `await` before it, and pass the application that it resolves to',
    ],
    [{ default: new Token() }, 'app is a module, or an object with the member default: write `.default` after it'],
    [[new Token()], 'app must be an object with methods such as checkTx and finalizeBlock, got a list of 1'],
    [
      new Map([['checkTx', () => ({})]]),
      'app must be an object with methods such as checkTx and finalizeBlock, got an object of the type Map',
    ],
    [
      new Error('no'),
      'app must be an object with methods such as checkTx and finalizeBlock, got an Error with the message "no"',
    ],
    [
      { app: new Token(), stop: () => undefined },
      'app has no method of an application, such as checkTx or finalizeBlock; it has app, stop. An application that accepts everything is {}',
    ],
  ])('%o', (app, message) => {
    expect(() => createApplicationHost(app as never)).toThrow(
      expect.objectContaining({ code: 'ABCI_BAD_APPLICATION', message }),
    )
  })
})

describe('error: a value that is not in its enumeration is refused', () => {
  test.each([
    ['processProposal', 'status', { status: 3 }, '0 (unknown), 1 (accept), 2 (reject)', 'number 3'],
    ['verifyVoteExtension', 'status', { status: -1 }, '0 (unknown), 1 (accept), 2 (reject)', 'number -1'],
    [
      'offerSnapshot',
      'result',
      { result: 6 },
      '0 (unknown), 1 (accept), 2 (abort), 3 (reject), 4 (rejectFormat), 5 (rejectSender)',
      'number 6',
    ],
    [
      'applySnapshotChunk',
      'result',
      { result: 'accept' },
      '0 (unknown), 1 (accept), 2 (abort), 3 (retry), 4 (retrySnapshot), 5 (rejectSnapshot)',
      'text "accept"',
    ],
  ] as const)('%s: %s', (method, field, answer, wanted, given) => {
    expect(() => completeAnswer(method, answer)).toThrow(
      expect.objectContaining({
        code: 'ABCI_BAD_ANSWER',
        message: `${method}: ${field} must be one of ${wanted}, got ${given}`,
      }),
    )
  })

  test('a value of the enumeration, also as a bigint, is accepted', () => {
    expect(completeAnswer('processProposal', { status: 2n })).toEqual({ status: 2 })
    expect(completeAnswer('offerSnapshot', { result: 5 })).toEqual({ result: 5 })
  })
})

describe('error: a method with a misspelt name is refused', () => {
  class Shouting {
    CheckTx(): object {
      return { code: 1 }
    }
  }
  class Derived extends Shouting {}

  test.each([
    ['checktx', { checktx: () => ({}) }, 'checkTx'],
    ['check_tx', { check_tx: () => ({}) }, 'checkTx'],
    ['finalizeblock', { finalizeblock: () => ({}) }, 'finalizeBlock'],
    ['CheckTx', new Derived(), 'checkTx'],
  ])('%s', (name, app, meant) => {
    expect(() => checkApplication(app)).toThrow(
      expect.objectContaining({
        code: 'ABCI_BAD_APPLICATION',
        message: `app.${name} is not a method of an application: write ${meant}`,
      }),
    )
  })

  test('a module with methods of an application, and an empty object, are accepted', () => {
    const module = { checkTx: () => ({}), default: 5, [Symbol.toStringTag]: 'Module' }
    checkApplication(Object.freeze(Object.assign(Object.create(null), module)))
    checkApplication({})
    checkApplication(Object.create(null))
    const named = Object.assign(Object.create(null), { default: module, [Symbol.toStringTag]: 'Module' })
    expect(() => checkApplication(Object.freeze(named))).toThrow(/write `\.default` after it$/)
  })

  test('helper methods and values are accepted, and also a second spelling next to the right one', () => {
    checkApplication({ checkTxLater: () => undefined, checktx: 5, query: () => ({}), Query: () => ({}) })
  })
})
