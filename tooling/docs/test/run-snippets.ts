import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '@org/golden'

const root = new URL('../../../', import.meta.url).pathname

/**
 * The chain that a snippet needs while it runs. With the value `lines`, the test starts no chain, because each line of
 * the snippet is a command that runs a chain. With the value `cosmos`, an application of the test takes the place of a
 * daemon of the Cosmos SDK.
 */
type ChainName = 'devnet' | 'control' | 'app' | 'node' | 'statesync' | 'lines' | 'cosmos'

/**
 * The test of a snippet: the chain that the snippet needs, and the pattern that its output must match. The commands
 * that start these chains are snippets too, and have tests of their own.
 */
interface Run {
  readonly chain: ChainName
  readonly output: RegExp
}

/**
 * The snippets that are run by a test, each with its test. Snippets such as `clock.test.ts` are not in this list,
 * because they are tests themselves. `cosmos.test.ts` runs the snippets with the chain `cosmos`, and
 * `run-snippets.test.ts` runs the other snippets of this list.
 */
export const RUN_SNIPPETS: Readonly<Record<string, Run>> = {
  'start.sh': { chain: 'devnet', output: /a chain of one validator/ },
  'start-calls.sh': { chain: 'devnet', output: /"network"[\s\S]*"height"[\s\S]*"c2F0b3NoaQ=="/ },
  'client.ts': { chain: 'devnet', output: /^block \d+: blue\n$/ },
  'call.sh': { chain: 'devnet', output: /"height":"1"[\s\S]*"id":1,"result"[\s\S]*"height":"1"/ },
  'events.sh': { chain: 'devnet', output: /tendermint\/event\/NewBlock"/ },
  'batch.ts': { chain: 'devnet', output: /^1 1\n$/ },
  'subscribe.ts': { chain: 'devnet', output: /^tendermint\/event\/NewBlock\n$/ },
  'failure.ts': { chain: 'devnet', output: /^RPC_CLIENT_REFUSED\n$/ },
  'light.ts': { chain: 'devnet', output: /^verified: true\n$/ },
  'verified.ts': { chain: 'devnet', output: /^2\n$/ },
  'control.sh': { chain: 'control', output: /4 validators/ },
  'control-calls.sh': { chain: 'control', output: /"new_time"[\s\S]*"id":"1"[\s\S]*"hash"[\s\S]*"height":"100"/ },
  'control.ts': { chain: 'control', output: /^true\n$/ },
  'control-dump.sh': { chain: 'lines', output: /dev_snapshot/ },
  'control-ways.sh': { chain: 'lines', output: /dev_snapshot/ },
  'app-devnet.sh': { chain: 'app', output: /notes\.ts/ },
  'write-note.ts': { chain: 'app', output: /^0 \{"author":"[0-9A-F]{40}","text":"read on"\}\n$/ },
  'scenario.ts': { chain: 'devnet', output: /^0 true\n$/ },
  'sim.sh': { chain: 'node', output: /violations = 0[\s\S]*trace [0-9a-f]{64}\nviolations = 0/ },
  'node-init.sh': { chain: 'node', output: /Generated genesis file/ },
  'node-start.sh': { chain: 'node', output: /finalized block/ },
  'node-watch.sh': { chain: 'node', output: /ready[\s\S]*"n_peers"[\s\S]*cometbft_consensus_height/ },
  'network-id.sh': { chain: 'node', output: /^[0-9a-f]{40}\n$/ },
  'network-join.sh': { chain: 'node', output: /Generated node key/ },
  'network-start.sh': { chain: 'node', output: /finalized block/ },
  'light-proxy.sh': { chain: 'node', output: /127\.0\.0\.1:\d+/ },
  'node-repair.sh': { chain: 'node', output: /Rolled back state to height \d+[\s\S]*event re-index finished/ },
  'node-inspect.sh': { chain: 'node', output: /http:\/\/127\.0\.0\.1:\d+|tcp:\/\/127\.0\.0\.1:\d+/ },
  'network-homes.sh': { chain: 'node', output: /Successfully initialized 4 node directories/ },
  'network-devnet.sh': { chain: 'statesync', output: /a chain with 4 validators/ },
  'statesync.sh': { chain: 'statesync', output: /node3 +has joined/ },
  'cosmos-socket.sh': { chain: 'cosmos', output: /committed state/ },
  'cosmos-grpc.sh': { chain: 'cosmos', output: /committed state/ },
  'cosmos-plain-devnet.sh': { chain: 'cosmos', output: /a chain of one validator with the application at / },
  'cosmos-devnet.sh': { chain: 'cosmos', output: /dev_snapshot/ },
  'cosmos-restart.sh': { chain: 'cosmos', output: /^$/ },
  'trust-root.sh': {
    chain: 'statesync',
    output: /rpc_servers = "[\s\S]*trust_height = \d+\ntrust_hash = "[0-9A-F]{64}"/,
  },
}

/** Returns the text of a snippet. */
export const snippet = (name: string): string =>
  readFileSync(join(root, 'tooling/docs/snippets', name), 'utf8').trimEnd()

/** Returns the arguments with which Node.js runs the text of a TypeScript program. */
export const programArguments = (text: string): readonly string[] => [
  '--no-warnings',
  '--input-type=module-typescript',
  '--eval',
  text,
]

/**
 * Runs the text of a snippet in the folder `cwd`, and resolves to its output. The caller may have replaced the ports in
 * the text.
 */
export async function runText(name: string, text: string, cwd: string): Promise<{ code: number; output: string }> {
  const isShell = name.endsWith('.sh')
  const paths = [join(root, 'node_modules/.bin'), join(root, 'apps/node/bin'), process.env.PATH]
  const options = { cwd, env: { PATH: paths.join(':') } }
  const { code, stdout, stderr } = isShell
    ? await run('sh', ['-euc', text], options)
    : await run(process.execPath, programArguments(text), options)
  return { code, output: isShell ? `${stdout}${stderr}` : stdout + (code === 0 ? '' : stderr) }
}
