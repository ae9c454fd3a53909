import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

// The command is `node pack.ts <in.itf.json> <out.json.gz>`. It writes only those variables of a trace that the tests
// read, with the names that they have in the Quint model.

type Fields = { [name: string]: unknown }
type Pairs = { '#map': [string, Fields][] }

const NODE = ['incomingVotes', 'incomingProposals', 'incomingCertificates', 'timeouts', 'getValueRequests']
const DRIVER = ['cs', 'chain', 'pendingStepChange', 'pendingInputs', 'started']

const [source = '', target = ''] = process.argv.slice(2)
const trace = JSON.parse(readFileSync(source, 'utf8')) as { vars: string[]; states: Fields[] }
const system = liveSystem()
const hist = system.replace(/system$/, '_hist')
const states = trace.states.map((state) => ({
  _hist: state[hist],
  system: { '#map': (state[system] as Pairs)['#map'].map(([name, node]) => [name, keep(node)]) },
}))
writeFileSync(target, gzipSync(JSON.stringify({ vars: ['_hist', 'system'], states }), { level: 9 }))

/**
 * Returns the name of the variable whose values change in the trace. A test file of the Quint model may contain several
 * instances of the model, each with its own variables. Only one of these instances changes in the trace.
 */
function liveSystem(): string {
  const names = trace.vars.filter((name) => /(^|::)system$/.test(name))
  const found = names.find((name) => new Set(trace.states.map((state) => JSON.stringify(state[name]))).size > 1)
  if (found === undefined) throw new Error('no instance of the model moves')
  return found
}

function keep(node: Fields): Fields {
  return { ...pick(node, NODE), es: pick(node.es as Fields, DRIVER) }
}

function pick(from: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, from[name]]))
}
