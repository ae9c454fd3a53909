import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { ShellBlock } from './shell-block.ts'
import { root, type Workspace } from './workspace.ts'

/** The way in which a test covers one code block of a document. */
export type BlockTest = { readonly begins: string } & (
  | { readonly shell: ShellBlock }
  /** The file of a test that reads the document, and runs or compares the code block. */
  | { readonly test: string }
  /**
   * The name of a snippet of the guide. The code block is the beginning of this snippet, and a test runs the snippet.
   */
  | { readonly snippet: string }
  /**
   * A code block that a test only reads. `reads` is the reason why no test runs the code block. `files` are the files
   * and folders that the code block names.
   */
  | { readonly reads: string; readonly files: readonly string[] }
)

const RPC = '--rpc.laddr=tcp://127.0.0.1:26657'
const P2P = '--p2p.laddr=tcp://127.0.0.1:26656'
/** A flag that permits peers on loopback. */
const LOCAL = '--p2p.addr_book_strict=false'
const DEVNET = `--ephemeral ${RPC} ${P2P}`
const README_TEST = 'tooling/examples/test/readme.test.ts'

/**
 * Starts a chain. In the commands of the documents, the address of this chain replaces those of `one.example` and
 * `two.example`, its id replaces `my-chain`, and a hash of its blocks replaces the example hash.
 */
async function prepareNode(workspace: Workspace): Promise<void> {
  const chain = workspace.start('halley devnet --control --rpc.laddr=tcp://127.0.0.1:0')
  const url = /RPC +(\S+)/.exec(await chain.saw(/RPC +http/))?.[1] ?? ''
  const ask = async (path: string) => ((await (await fetch(`${url}/${path}`)).json()) as { result: never }).result
  await ask('advance_blocks?num_blocks=10')
  const { block_id: id, block } = (await ask('block?height=5')) as {
    readonly block_id: { readonly hash: string }
    readonly block: { readonly header: { readonly chain_id: string } }
  }
  const addresses = { 'http://one.example:26657': url, 'http://two.example:26657': url }
  workspace.set({ ...addresses, 'my-chain': block.header.chain_id, '28B9…': id.hash })
}

/** Prepares the commands of the page about the node: puts an application into the folder, and starts a chain. */
async function prepareCommands(workspace: Workspace): Promise<void> {
  cpSync(join(root, 'tooling/docs/snippets/notes.ts'), join(workspace.folder, 'app.ts'))
  symlinkSync(join(root, 'tooling/docs/node_modules'), join(workspace.folder, 'node_modules'))
  await prepareNode(workspace)
}

/** Starts a validator of a network, which a new node joins. */
async function prepareNetwork(workspace: Workspace): Promise<void> {
  await workspace.run('halley testnet --v 4 --o ./other && cp other/node0/config/genesis.json .')
  const id = (await workspace.run('halley show-node-id --home ./other/node0')).trim()
  const listen = workspace.replace('--rpc.laddr=tcp://127.0.0.1:8080 --p2p.laddr=tcp://127.0.0.1:8888')
  const validator = workspace.start(`halley start --home ./other/node0 --proxy_app=kvstore ${LOCAL} ${listen}`)
  await validator.saw('Started node')
  workspace.set({ 'ID@host:26656': workspace.replace(`${id}@127.0.0.1:8888`), 'tcp://…': 'kvstore' })
}

const COMMANDS: ShellBlock = {
  prepare: prepareCommands,
  lines: [
    { flags: DEVNET, runsFor: 0, output: /a chain of one validator/ },
    { flags: DEVNET, runsFor: 0, output: /a chain with 4 validators/ },
    { flags: RPC, runsFor: 0, output: /dev_snapshot/ },
    { flags: DEVNET, runsFor: 0, output: /app\.ts/ },
    { output: /Generated genesis file/ },
    { flags: `${RPC} ${P2P}`, runsFor: 1, output: /committed state/ },
    { output: /"height":"\d+"/ },
    { output: /^[0-9a-f]{40}\n$/ },
    { flags: RPC, runsFor: 0, output: /127\.0\.0\.1:\d+/ },
    { output: /Rolled back state to height \d+/ },
    { output: /event re-index finished/ },
    { output: /trust_height = \d+\ntrust_hash = "[0-9A-F]{64}"/ },
    { flags: '--laddr tcp://127.0.0.1:8888 --home-dir ./light', runsFor: 0, output: /127\.0\.0\.1:\d+/ },
    { output: /Successfully initialized 4 node directories/ },
    { output: /Usage: halley/ },
  ],
}

/**
 * The tests of the code blocks of each document, in the order of the code blocks. The TypeScript code blocks in the
 * READMEs of packages are not in this list, because `package-pages.ts` has their tests.
 */
export const BLOCK_TESTS: Readonly<Record<string, readonly BlockTest[]>> = {
  'ARCHITECTURE.md': [
    { begins: 'apps/node ──', test: 'tooling/docs/test/blocks/architecture.test.ts' },
    ...Array.from({ length: 4 }, () => ({ begins: 'flowchart TD', test: 'tooling/docs/test/diagrams.test.ts' })),
  ],
  'CONTRIBUTING.md': [
    {
      begins: 'HALLEY_ACCEPTANCE=full',
      reads: 'the acceptance run takes half an hour',
      files: ['apps/node/test/network.test.ts'],
    },
  ],
  'README.md': [
    { begins: 'npx pnpm@', snippet: 'start.sh' },
    { begins: '  test-chain-', test: README_TEST },
    { begins: "curl 'http://127.0.0.1:26657/status'", test: README_TEST },
    { begins: 'import { createChain }', test: README_TEST },
    { begins: 'npm create @org/chain', snippet: 'new-project.sh' },
    { begins: 'import { type Application', test: README_TEST },
    {
      begins: 'npx pnpm@',
      shell: {
        folder: '.',
        prepare: async (workspace) => workspace.set({ '/tmp/counter': join(workspace.folder, 'counter') }),
        lines: [
          { flags: 'tcp://127.0.0.1:26658', runsFor: 1 },
          { flags: `${RPC} ${P2P}`, runsFor: 0, output: /committed state/ },
        ],
      },
    },
    {
      begins: 'alias halley=',
      shell: {
        folder: '.',
        lines: [
          { flags: '\ntype halley', output: /alias.*apps\/node\/bin\/halley/ },
          { output: /Generated genesis file/ },
          { flags: P2P, runsFor: 0, output: /committed state/ },
          { output: /Usage: halley/ },
        ],
      },
    },
    {
      begins: 'halley testnet',
      shell: {
        prepare: prepareNetwork,
        lines: [
          { output: /Successfully initialized 4 node directories/ },
          { output: /Generated genesis file/ },
          { output: /^$/ },
          { flags: `${RPC} ${P2P} ${LOCAL}`, runsFor: 0, output: /Added peer/ },
        ],
      },
    },
    { begins: 'import { createHttpTransport', test: README_TEST },
    { begins: 'import { createRpcClient', test: README_TEST },
    { begins: 'npx pnpm@', reads: 'these commands run all tests and all measurements', files: [] },
  ],
  'apps/explorer/README.md': [
    { begins: '[rpc]\n', test: 'tooling/docs/test/blocks/settings.test.ts' },
    { begins: 'npx pnpm@', shell: { lines: [{ flags: 'FOLDER/site', output: /^$/ }] } },
  ],
  'apps/kvstore/README.md': [{ begins: 'kvstore --address', test: 'apps/kvstore/test/readme.test.ts' }],
  'apps/node/README.md': [
    { begins: 'halley devnet', shell: COMMANDS },
    {
      begins: 'halley snapshot trust-root',
      shell: { prepare: prepareNode, lines: [{ output: /trust_hash = "[0-9A-F]{64}"/ }] },
    },
  ],
  'apps/playground/README.md': [
    {
      begins: 'npx pnpm@',
      shell: { folder: '.', lines: [{ flags: 'FOLDER/page --port=4173', runsFor: 0, output: /Playground: http/ }] },
    },
    {
      begins: 'npx pnpm@',
      shell: {
        lines: [
          { reads: 'the measurement takes minutes' },
          { reads: 'the command writes pictures into the repository' },
          { flags: 'FOLDER/site', output: /Built the playground/ },
        ],
      },
    },
  ],
  'examples/README.md': [
    {
      begins: '../apps/node/bin/halley devnet',
      shell: {
        folder: 'examples',
        lines: [
          { flags: DEVNET, runsFor: 1, output: /one validator with app\.ts/ },
          { runsFor: 0, output: /http:\/\/127\.0\.0\.1:\d+/ },
        ],
      },
    },
    {
      begins: '../apps/node/bin/halley devnet',
      shell: { folder: 'examples', lines: [{ flags: DEVNET, runsFor: 0, output: /one validator with app\.ts/ }] },
    },
  ],
  'packages/create-chain/README.md': [{ begins: 'npm create @org/chain', snippet: 'new-project.sh' }],
  'packages/create-chain/template/README.md': [
    { begins: 'npm run dev', test: 'packages/create-chain/test/create.test.ts' },
    { begins: 'curl ', test: 'packages/create-chain/test/create.test.ts' },
  ],
  'packages/engine/test/consensus/itf/README.md': [
    {
      begins: 'quint test',
      reads: 'Quint and its model are not in the repository',
      files: ['pack.ts', 'traces/line28.json.gz'],
    },
    { begins: 'quint test', reads: 'Quint and its model are not in the repository', files: ['locks.qnt', 'walk.qnt'] },
  ],
  'packages/light/README.md': [
    {
      begins: 'npx pnpm@',
      shell: {
        folder: '.',
        lines: [
          { output: /light-page\/dist\/index\.html/ },
          { flags: DEVNET, runsFor: 1, output: /query +curl/ },
          { output: /"jsonrpc":"2\.0"/ },
        ],
      },
    },
  ],
  'packages/simnet/README.md': [{ begins: 'npx pnpm@', test: 'tooling/sim/test/readme.test.ts' }],
  'tooling/consumer/README.md': [
    { begins: 'npx pnpm@', reads: 'the command runs the tests of this folder', files: ['tooling/consumer'] },
  ],
  'tooling/golden/README.md': [
    {
      begins: 'node tooling/golden/src/replay/main.ts',
      reads: 'the tests of tooling/scenarios replay all recordings',
      files: ['tooling/golden/src/replay/main.ts'],
    },
  ],
}
