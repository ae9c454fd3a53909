import type { Door, Shape } from '../door.ts'
import { listOf, nest, runOf } from '../shapes.ts'
import { call, LAST_REQUEST, post } from './requests.ts'
import { serve } from './serve.ts'

const EVIDENCE = `${call('broadcast_evidence')}{"evidence":{"type":`
const VALIDATOR = JSON.stringify({
  address: '00'.repeat(20),
  pub_key: { type: 'tendermint/PubKeyEd25519', value: Buffer.alloc(32).toString('base64') },
  voting_power: '1',
  proposer_priority: '0',
})

/**
 * Returns a function that makes inputs. Each input is evidence of an attack on light clients. One member of the
 * evidence repeats `unit` as often as the requested size of the input allows.
 */
const attack = (before: string, unit: string, after: string): Shape =>
  runOf(unit, `${EVIDENCE}"tendermint/LightClientAttackEvidence","value":{${before}`, `${after}}}}}`)

export const largeRequests: Door = {
  name: 'large requests',
  where: 'rpc/src/json/body.ts',
  limit: 999_000,
  costs: { nsPerByte: 100, heldPerByte: 40, turnMs: 100 },
  open: () => serve('LAST'),
  shapes: {
    'a query of blocks': post(runOf('a.b=1 AND ', `${call('block_search')}{"query":"`, 'a.b=1"}}')),
    'a query of transactions': post(runOf('a.b=1 AND ', `${call('tx_search')}{"query":"`, 'a.b=1"}}')),
    'a number in a query': post(runOf('9', `${call('tx_search')}{"query":"a.b>`, '"}}')),
    'keys of a request': post(listOf((i) => `"a${i}":0,`, '{', '"z":1}')),
    'keys of one letter': post(runOf('"K":0,', '{', '"z":1}')),
    'parameters of a call': post(listOf((i) => `"a${i}":0,`, `${call('block')}{`, '"z":1}}')),
    'items of a batch': post(runOf('{},', '[', '{}]')),
    'nested lists': post(nest(['[', ']'], call('health'), '}')),
    'a transaction': post(runOf('AAAA', `${call('check_tx')}{"tx":"`, '"}}')),
    'bytes as a list': post(runOf('1,', `${call('check_tx')}{"tx":[`, '1]}}')),
    'a number with many digits': post(runOf('9', `${call('block')}{"height":`, '9}}')),
    'a number with a long exponent': post(runOf('9', `${call('block')}{"height":1e`, '9}}')),
    'a number with a long fraction': post(runOf('9', `${call('block')}{"height":0.`, '9}}')),
    'a list in place of a number': post(runOf('1,', `${call('block')}{"height":[`, '1]}}')),
    'a long text in place of a number': post(runOf('a', `${call('block')}{"height":"`, '"}}')),
    'signatures of evidence': post(
      attack('"ConflictingBlock":{"signed_header":{"commit":{"signatures":[', '{},', '{}]}}}'),
    ),
    'validators of evidence': post(attack('"ConflictingBlock":{"validator_set":{"validators":[', '{},', '{}]}}')),
    'validators that are null': post(attack('"ByzantineValidators":[', 'null,', 'null]')),
    'byzantine validators': post(attack('"ByzantineValidators":[', '{},', '{}]')),
    'whole validators of evidence': post(attack('"ByzantineValidators":[', `${VALIDATOR},`, `${VALIDATOR}]`)),
    'bytes of evidence as a list': post(
      attack('"ByzantineValidators":[{"pub_key":{"type":"tendermint/PubKeyEd25519","value":[', '1,', '1]}}]'),
    ),
    'unknown members of a vote': post(
      listOf((i) => `"a${i}":0,`, `${EVIDENCE}"tendermint/DuplicateVoteEvidence","value":{`, '"z":1}}}}'),
    ),
    'many headers': listOf((i) => `h${i}: 1\r\n`, 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n', `\r\n${LAST_REQUEST}`),
    'different codings': listOf(
      (i) => `x${i};q=0.1,`,
      'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: ',
      `\r\n\r\n${LAST_REQUEST}`,
    ),
  },
}
