import { recordingLines } from '@org/golden'
import {
  Block,
  BlockId,
  BlockMeta,
  ConsensusParams,
  ConsensusParamsUpdate,
  Header,
  SignedHeader,
  TxProof,
  Validator,
} from '@org/types'
import { Event, ExecTxResult, ResponseCheckTx, ResponseInfo, ResponseQuery, ValidatorUpdate } from '@org/types/abci'
import { DefaultNodeInfo } from '@org/types/p2p'
import { bytes, type Codec, type Json, type JsonObject, stringifyJson } from '@org/types/schema'
import { describe, expect, test } from 'vitest'

interface Exchange {
  readonly id: string
  readonly request: { readonly path?: string; readonly body?: unknown }
  readonly response: { readonly body?: unknown }
}

type Rewrite = (json: Json) => Json

/** Reads JSON with the schema and writes it again. */
const via =
  (codec: Codec<never>): Rewrite =>
  (json) =>
    json === null ? null : codec.toJson(codec.fromJson(json, ''))
const list =
  (rewrite: Rewrite): Rewrite =>
  (json) =>
    json === null ? null : (json as readonly Json[]).map(rewrite)
const object =
  (members: Readonly<Record<string, Rewrite>>): Rewrite =>
  (json) =>
    Object.fromEntries(Object.entries(json as JsonObject).map(([key, value]) => [key, members[key]?.(value) ?? value]))

const schema = <T>(codec: Codec<T>): Rewrite => via(codec as unknown as Codec<never>)
const tx = object({ tx_result: schema(ExecTxResult), tx: schema(bytes), proof: schema(TxProof) })

const ROUTES: Readonly<Record<string, Rewrite>> = {
  abci_info: object({ response: schema(ResponseInfo) }),
  abci_query: object({ response: schema(ResponseQuery) }),
  block: object({ block_id: schema(BlockId), block: schema(Block) }),
  block_by_hash: object({ block_id: schema(BlockId), block: schema(Block) }),
  block_results: object({
    txs_results: list(schema(ExecTxResult)),
    finalize_block_events: list(schema(Event)),
    validator_updates: list(schema(ValidatorUpdate)),
    consensus_param_updates: schema(ConsensusParamsUpdate),
  }),
  block_search: object({ blocks: list(object({ block_id: schema(BlockId), block: schema(Block) })) }),
  blockchain: object({ block_metas: list(schema(BlockMeta)) }),
  broadcast_tx_commit: object({ check_tx: schema(ResponseCheckTx), tx_result: schema(ExecTxResult) }),
  check_tx: schema(ResponseCheckTx),
  commit: object({ signed_header: schema(SignedHeader) }),
  consensus_params: object({ consensus_params: schema(ConsensusParams) }),
  header: object({ header: schema(Header) }),
  header_by_hash: object({ header: schema(Header) }),
  status: object({ node_info: schema(DefaultNodeInfo) }),
  tx,
  tx_search: object({ txs: list(tx) }),
  validators: object({ validators: list(schema(Validator)) }),
}

function methodOf({ path = '', body }: Exchange['request']): string {
  const route = /^\/(\w+)/.exec(path)?.[1]
  if (route !== undefined) return route
  return typeof body === 'string' ? (/"method":\s*"(\w+)"/.exec(body)?.[1] ?? '') : ''
}

describe.each(['kvstore-single', 'kvstore-four', 'e2e-voteext'])('%s', (scenario) => {
  test.each(['answers', 'drive'])('default: every result in %s.jsonl is rewritten to the same text', (file) => {
    const seen = new Map<string, number>()
    for (const { id, request, response } of recordingLines<Exchange>(`${scenario}/${file}.jsonl`)) {
      const rewrite = ROUTES[methodOf(request)]
      const body = response.body
      // In JSON, the reference replaces each byte that is not UTF-8 by `\ufffd`. The original byte is lost. So the test
      // cannot make the same text again from an answer with `\ufffd`, and skips it.
      if (rewrite === undefined || typeof body !== 'string' || body.includes('\\ufffd')) continue
      if (!body.startsWith('{"jsonrpc":"2.0","id":') || !body.includes('"result":')) continue
      const answer = JSON.parse(body) as JsonObject
      expect(stringifyJson({ ...answer, result: rewrite(answer.result as Json) }), id).toBe(body.trimEnd())
      seen.set(methodOf(request), (seen.get(methodOf(request)) ?? 0) + 1)
    }
    const total = [...seen.values()].reduce((sum, n) => sum + n, 0)
    expect(total).toBeGreaterThan(file === 'answers' ? 100 : 0)
    if (file === 'answers') expect(seen.size).toBeGreaterThanOrEqual(12)
  })
})
