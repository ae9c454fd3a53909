import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToBase64, bytesToHex } from '../bytes/index.ts'
import { addressOf, generateEd25519, publicKeyOf, publicKeyToJson } from '../crypto/index.ts'
import { ConsensusParams, defaultConsensusParams } from '../params/index.ts'
import { stringifyJson } from '../schema/index.ts'
import {
  compactJson,
  encodeGenesis,
  formatGenesis,
  GENESIS_ERRORS,
  genesisToJson,
  indentJson,
  parseGenesis,
} from './index.ts'

const key = publicKeyOf(generateEd25519(new Uint8Array(32).fill(3)))
const time = '2024-02-29T12:00:00.5Z'

describe('genesis', () => {
  test('behavior: a document in the form of the Cosmos SDK is read', () => {
    const sdk = {
      app_name: 'simd',
      app_version: '1',
      genesis_time: time,
      chain_id: 'sdk',
      initial_height: 7,
      app_hash: null,
      app_state: { bank: {} },
      consensus: {
        validators: [{ address: bytesToHex(addressOf(key)), pub_key: publicKeyToJson(key), power: '5', name: 'v' }],
        params: ConsensusParams.toJson({ ...defaultConsensusParams(), version: { app: 9n } }),
      },
    }
    const doc = parseGenesis(JSON.stringify(sdk))
    expect(doc).toMatchObject({ chainId: 'sdk', initialHeight: 7, appState: '{"bank":{}}' })
    expect(doc.validators).toEqual([{ address: addressOf(key), pubKey: key, power: 5n, name: 'v' }])
    expect(doc.consensusParams.version.app).toBe(9n)
    expect(parseGenesis(formatGenesis(doc)).consensusParams).toEqual(doc.consensusParams)
    const hash = Uint8Array.of(1, 2, 3)
    expect(parseGenesis(JSON.stringify({ ...sdk, app_hash: bytesToBase64(hash) })).appHash).toEqual(hash)
    expect(parseGenesis(JSON.stringify({ ...sdk, consensus: {} })).consensusParams).toEqual(defaultConsensusParams())
  })

  test('behavior: missing members get their defaults', () => {
    const doc = parseGenesis('{"chain_id":"c"}', 5n)
    expect(doc).toMatchObject({ genesisTime: 5n, initialHeight: 1, validators: [], appState: '' })
    expect(doc.consensusParams).toEqual(defaultConsensusParams())
    expect(genesisToJson(doc)).not.toHaveProperty('validators')
    expect(stringifyJson(genesisToJson(doc))).toBe(encodeGenesis(doc))
  })

  test.each([
    ['{"chain_id":"c","genesis_time":5}', 'genesis_time'],
    ['{"chain_id":"c","initial_height":1.5}', 'initial_height'],
    ['{"chain_id":"c","initial_height":"9007199254740993"}', 'initial_height'],
    ['{"chain_id":"c","validators":{}}', 'validators'],
    ['{"chain_id":"c","validators":[{"power":"1"}]}', 'validators[0]'],
    ['{"chain_id":"c","validators":[{"pub_key":{"type":"tendermint/PubKeyEd25519","value":"AA=="}}]}', 'validators[0]'],
    ['{"chain_id":"c","consensus_params":{"block":5}}', 'consensus_params'],
    ['{"chain_id":"c","consensus":5}', 'consensus'],
    ['{"chain_id":"c","app_hash":"xy"}', 'app_hash'],
    ['{"chain_id":"c","app_state":{"a":01}}', 'app_state'],
  ])('error: %s names %s', (text, field) => {
    expect(() => parseGenesis(text)).toThrow(expect.objectContaining({ code: GENESIS_ERRORS.field, data: { field } }))
  })

  test.each(['', '[]', '{', '{"a"}', '{"a":1,}', '{"a":1}{', '{"a":"x}', '{,}', 'null', '{"a" 1}', '{a:1}'])(
    'error: refuses %s, which is not an object',
    (text) => {
      expect(() => parseGenesis(text)).toThrow(expect.objectContaining({ code: GENESIS_ERRORS.syntax }))
    },
  )

  test('behavior: any application state reads back to the byte, compact and indented as JSON.stringify', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(3), (state, indent) => {
        const text = JSON.stringify(JSON.parse(state), null, indent)
        const doc = parseGenesis(`{"chain_id":"c","app_state": ${text} , "genesis_time":"${time}"}`)
        expect(doc.appState).toBe(text === 'null' ? '' : text)
        expect(compactJson(text)).toBe(stringifyJson(JSON.parse(state)))
        expect(JSON.parse(indentJson(compactJson(text)))).toEqual(JSON.parse(state))
        expect(parseGenesis(formatGenesis(doc))).toMatchObject({ chainId: 'c', genesisTime: doc.genesisTime })
      }),
    )
  })

  test('behavior: numbers too large for JavaScript and repeated members are not changed', () => {
    const state = '{ "n":1.50e3, "big":123456789012345678901234, "a":1, "a":2 }'
    const doc = parseGenesis(`{"chain_id":"c","app_state":${state}}`)
    expect(doc.appState).toBe(state)
    expect(encodeGenesis(doc)).toContain('"app_state":{"n":1.50e3,"big":123456789012345678901234,"a":1,"a":2}')
  })

  test('limit: a text of 20 million characters in app_state needs no deep stack', () => {
    const text = JSON.stringify({ code: 'x'.repeat(20_000_000) })
    expect(compactJson(text) === text).toBe(true)
    expect(indentJson(text).length).toBe(text.length + '\n  '.length + ' '.length + '\n'.length)
  })
})
