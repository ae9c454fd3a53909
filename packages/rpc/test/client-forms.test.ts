import { type Exchange, recordingLines } from '@org/golden'
import { Evidence, LightClientAttackEvidence, type SignedHeader, type Validator, ValidatorSet } from '@org/types'
import { describe, expect, test } from 'vitest'
import type { Route } from '../src/call/route.ts'
import { createForms } from '../src/client/forms.ts'
import { knownMembers } from '../src/client/known-members.ts'
import { METHODS, SHAPES } from '../src/client/table.ts'
import { ROUTES } from '../src/index.ts'

const forms = createForms(SHAPES)
const routes = ROUTES as Readonly<Record<string, Route>>

/**
 * Returns the operation of a recorded exchange and the result in its answer; `undefined` for errors, batches, and
 * bodies that are not JSON.
 */
function resultOf({ request, response }: Exchange): { readonly method: string; readonly result: unknown } | undefined {
  const { body, path } = request as { readonly body?: unknown; readonly path?: string }
  try {
    const called =
      typeof body === 'string' && body !== '' ? (JSON.parse(body) as { method?: string }).method : undefined
    const method = path?.split('?')[0]?.slice(1) || called || ''
    const answer = JSON.parse(String(response.body)) as { readonly result?: unknown }
    return answer.result === undefined ? undefined : { method, result: answer.result }
  } catch {
    return undefined
  }
}

const exchanges = recordingLines<Exchange>('kvstore-single/answers.jsonl')

function recordedResult<T>(id: string): T {
  const found = resultOf(exchanges.find((exchange) => exchange.id === id) as Exchange)
  return routes[found?.method ?? '']?.result.parse(found?.result) as T
}

/** Evidence from a recorded request, and evidence made from a recorded header and its validators. */
function someEvidence(): readonly Evidence[] {
  const submitted = exchanges
    .filter(({ id }) => /post\/broadcast_evidence\/(fake|swapped)$/.test(id))
    .map(({ request }) => JSON.parse(request.body as string) as { params: { evidence: never } })
    .map(({ params }) => Evidence.fromJson(params.evidence))
  const { signedHeader } = recordedResult<{ signedHeader: SignedHeader }>('main/uri/commit/height-first')
  const { validators } = recordedResult<{ validators: readonly Validator[] }>('main/uri/validators/height-first')
  const value = LightClientAttackEvidence.create({
    conflictingBlock: { signedHeader, validatorSet: ValidatorSet.create({ validators, proposer: validators[0] }) },
    commonHeight: 1,
    byzantineValidators: validators,
    totalVotingPower: 10n,
    timestamp: 1_795_220_632_779_087_000n,
  })
  return [...submitted, { sum: { case: 'lightClientAttackEvidence', value } }]
}

const formOf = (method: string): string => METHODS[method]?.[1] ?? method

describe('results as the client reads them', () => {
  test.each(['kvstore-single', 'kvstore-four', 'e2e-voteext'])(
    "default: every recorded result equals the route's own decoding, and is the same when it is rewritten: %s",
    (scenario) => {
      const seen = new Set<string>()
      for (const exchange of recordingLines<Exchange>(`${scenario}/answers.jsonl`)) {
        const { method, result } = resultOf(exchange) ?? {}
        if (method === undefined || METHODS[method] === undefined) continue
        expect(forms.decode(formOf(method), result), exchange.id).toEqual(routes[method]?.result.parse(result))
        expect(knownMembers(method, result), exchange.id).toEqual(result)
        seen.add(method)
      }
      expect(seen.size).toBeGreaterThan(15)
    },
  )

  test('default: reads evidence of both kinds', () => {
    const all = someEvidence()
    expect(all.length).toBeGreaterThan(2)
    for (const evidence of all) {
      const json = forms.encode('Evidence', evidence) as never
      expect(Evidence.fromJson(json)).toEqual(evidence)
      expect(forms.decode('Evidence', Evidence.toJson(evidence))).toEqual(evidence)
    }
  })

  test('behavior: a rewritten result has only the members that the client reads, in the form of the reference', () => {
    const { result } = resultOf(
      exchanges.find(({ id }) => id === 'main/uri/block_results/height-first') as Exchange,
    ) as { readonly result: { readonly txs_results: readonly object[] | null } }
    const other = { ...result, txsResults: [], txs_results: [{ gas_used: '007', gasUsed: '8' }] }
    expect(knownMembers('block_results', other)).toEqual({ ...result, txs_results: [{ gas_used: '7' }] })
    const header = { height: '1', time: '2024-01-01T01:00:00.500+01:00', app_hash: 'ab', appHash: 'cd' }
    expect(knownMembers('header', { header })).toEqual({
      header: { height: '1', time: '2024-01-01T00:00:00.5Z', app_hash: 'AB' },
    })
    expect(knownMembers('header', { header: null })).toEqual({ header: null })
    for (const type of ['Ed25519', 'Secp256K1']) {
      const pub_key = { Sum: { type: `tendermint.crypto.PublicKey_${type}`, value: { [type.toLowerCase()]: 'AQ==' } } }
      const updates = { validator_updates: [{ pub_key, power: '1' }] }
      expect(knownMembers('block_results', updates)).toEqual(updates)
    }
  })

  test.each([
    ['no object', 'block', 7],
    ['a member too few', 'status', { node_info: {} }],
    ['an integer that is none', 'validators', { block_height: '1x', validators: [], count: '0', total: '0' }],
    ['an unsafe integer', 'validators', { block_height: '9007199254740993', validators: [], count: '0', total: '0' }],
    ['hex that is none', 'broadcast_tx_sync', { code: 0, data: '', log: '', codespace: '', hash: 'xyz' }],
    ['no list', 'tx_search', { txs: {}, total_count: '0' }],
  ])('error: %s', (_name, method, json) => {
    expect(() => forms.decode(formOf(method), json)).toThrow()
    expect(() => routes[method]?.result.parse(json)).toThrow()
  })

  test('error: the message has the place of the wrong value', () => {
    const page = { block_height: '1', validators: [{ address: '' }, { address: 7 }], count: '2', total: '2' }
    expect(() => forms.decode('validators', page)).toThrow(
      'result.validators[1].address: expected another kind of value',
    )
    expect(() => forms.decode('validators', 7)).toThrow('result: expected an object')
  })
})
