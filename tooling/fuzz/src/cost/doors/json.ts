import { argumentsOfJson } from '../../../../../packages/rpc/src/call/arguments.ts'
import { parseBody } from '../../../../../packages/rpc/src/json/body.ts'
import { ROUTES } from '../../../../../packages/rpc/src/operations/table.ts'
import type { Door } from '../door.ts'
import { listOf, nest, runOf } from '../shapes.ts'
import { call } from './requests.ts'

const routes = new Map(Object.values(ROUTES).map((route) => [route.name as string, route]))

function readBody(input: Uint8Array): unknown {
  const body = parseBody(input, 10)
  const requests = body.kind === 'batch' ? body.requests : body.kind === 'single' ? [body.request] : []
  const args: unknown[] = []
  for (const { method, params } of requests) {
    const route = routes.get(method)
    if (route !== undefined) args.push(argumentsOfJson(route, params, false))
  }
  return [body, args]
}

export const json: Door = {
  name: 'JSON body',
  where: 'rpc/src/json/body.ts',
  limit: 1_000_000,
  costs: { nsPerByte: 400, heldPerByte: 80 },
  open: () => ({ read: readBody }),
  shapes: {
    keys: listOf((i) => `"a${i}":0,`, '{', '"z":1}'),
    'keys of one letter': runOf('"K":0,', '{', '"z":1}'),
    'empty keys': runOf('"":0,', '{', '"z":1}'),
    'method many times': runOf('"METHOD":"a",', '{', '"id":1}'),
    parameters: listOf((i) => `"a${i}":0,`, `${call('block')}{`, '"z":1}}'),
    'nested lists': nest(['[', ']'], call('health'), '}'),
    'nested objects': nest(['{"a":', '}'], `${call('health')}{"a":`, '}'),
    'open lists': runOf('['),
    blanks: runOf(' ', '{', '}'),
    'quotes that are escaped': runOf('\\"', `${call('tx_search')}{"query":"`, '"}}'),
    backslashes: runOf('\\\\', `${call('tx_search')}{"query":"`, '"}}'),
    escapes: runOf('\\ud800', `${call('tx_search')}{"query":"`, '"}}'),
    'bad UTF-8': runOf([0xff], `${call('tx_search')}{"query":"`, '"}}'),
    digits: runOf('9', `${call('block')}{"height":"`, '"}}'),
    'a long number': runOf('9', `${call('block')}{"height":`, '}}'),
    'a long id': runOf('9', '{"id":', '}'),
    base64: runOf('AAAA', `${call('broadcast_tx_sync')}{"tx":"`, '"}}'),
    'numbers in a list': runOf('1,', `${call('broadcast_tx_sync')}{"tx":[`, '1]}}'),
    'a batch': runOf('{},', '[', '{}]'),
    'a batch of calls': runOf('{"method":"health","id":1},', '[', '{}]'),
    'items by position': runOf('1,', `${call('block')}[`, '1]}'),
    evidence: runOf(
      '{"a":[]},',
      `${call('broadcast_evidence')}{"evidence":{"type":"tendermint/DuplicateVoteEvidence","value":{"x":[`,
      '{}]}}}}',
    ),
  },
}
