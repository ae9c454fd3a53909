import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { importsOf, packageName, sourceFiles } from './imports.ts'

/** The imports that are permitted in one folder of a package, or in one file directly in the folder `src`. */
interface FolderRules {
  /** The other folders and files of the package that this folder may import. */
  readonly uses: readonly string[]
  /**
   * The modules outside of the package that this folder may import. If this list is missing, the folder may import
   * every module that its package may import.
   */
  readonly outside?: readonly string[]
}

/** The permitted modules outside of the package, for folders with code that must also run in a browser. */
const BROWSER_OUTSIDE: readonly string[] = ['@org/types', '@org/runtime/errors']

/**
 * The permitted modules outside of the package, for folders of the engine that store data. None of these modules
 * belongs to the network or to the application.
 */
const STORAGE_OUTSIDE: readonly string[] = [
  ...['@org/runtime', '@org/types', 'classic-level', 'lru-cache'],
  ...['node:fs', 'node:path', 'node:util'],
]

/**
 * The folders of the engine that store data. They must not import the folders of consensus, of the mempool or of the
 * network.
 */
const STORAGE: Readonly<Record<string, FolderRules>> = {
  files: { uses: [], outside: STORAGE_OUTSIDE },
  store: { uses: [], outside: STORAGE_OUTSIDE },
  'events/query': { uses: [], outside: BROWSER_OUTSIDE },
  indexer: { uses: ['store', 'events/query'], outside: STORAGE_OUTSIDE },
  'consensus/wal': { uses: ['files'], outside: STORAGE_OUTSIDE },
}

/** The folders and files of the RPC. Each of them may import only those before it in this list. */
const RPC_FOLDERS: readonly string[] = [
  ...[
    'errors.ts',
    'json',
    'ports',
    'http',
    'options.ts',
    'call',
    'memory',
    'subscriptions',
    'middleware',
    'site',
    'service.ts',
  ],
  ...[
    'operations',
    'relay',
    'preparing',
    'profiles',
    'openapi',
    'client',
    'sse',
    'websocket',
    'grpc',
    'transports',
    'rpc-server.ts',
  ],
  ...['rpc.ts', 'server.ts', 'serve.ts', 'index.ts'],
]

/** The folders and files of the node program. Each of them may import only those before it in this list. */
const NODE_FOLDERS: readonly string[] = [
  ...['cli-progress.d.ts', 'errors.ts', 'version.ts', 'progress.ts', 'heap-growth.ts', 'source-resolution.ts'],
  ...['metrics', 'logging', 'config', 'memory', 'p2p', 'home', 'statesync', 'node', 'page', 'context.ts', 'light'],
  ...['app-devnet', 'control', 'commands', 'cli', 'index.ts', 'main.ts'],
]

/**
 * The folders of the data types. Each of them may import only those before it in this list. So a block id, a header and
 * a vote do not depend on the block that contains them.
 */
const TYPES_FOLDERS: readonly string[] = [
  ...[
    'bytes',
    'time',
    'schema',
    'bits',
    'crypto',
    'merkle',
    'version',
    'block-id',
    'header',
    'parts',
    'params',
    'vote',
  ],
  ...['abci', 'commit', 'validators', 'light-block', 'evidence', 'block', 'genesis', 'store', 'state', 'events'],
  ...['blocksync', 'consensus', 'mempool', 'p2p', 'privval', 'statesync', 'entries'],
]

/** The folders and files of the light client. Each of them may import only those before it in this list. */
const LIGHT_FOLDERS: readonly string[] = [
  ...[
    'errors.ts',
    'ics23',
    'block',
    'provider',
    'store',
    'verifier',
    'client',
    'verified',
    'indexeddb',
    'level',
    'testing',
  ],
  ...['cosmjs', 'index.ts'],
]

/** The folders and files of ABCI. Each of them may import only those before it in this list. */
const ABCI_FOLDERS: readonly string[] = [
  ...[
    'errors.ts',
    'messages',
    'options.ts',
    'address.ts',
    'application',
    'framing',
    'load-grpc.ts',
    'client',
    'server',
  ],
  'index.ts',
]

/** The permitted modules outside of the package, for folders of the P2P layer that open no socket and use no file. */
const P2P_OUTSIDE: readonly string[] = ['@org/runtime', '@org/types']

/** The folders of the P2P layer. Only `transport` opens sockets. `address` and `switch` also resolve names. */
const P2P: Readonly<Record<string, FolderRules>> = {
  address: { uses: [], outside: [...P2P_OUTSIDE, 'node:dns/promises', 'node:net'] },
  framing: { uses: [], outside: P2P_OUTSIDE },
  transport: { uses: [] },
  secret: { uses: ['framing', 'transport'], outside: [...P2P_OUTSIDE, '@noble/hashes', 'node:crypto'] },
  mconn: { uses: ['framing', 'transport'], outside: P2P_OUTSIDE },
  nodeinfo: { uses: ['address', 'framing', 'secret'], outside: P2P_OUTSIDE },
  addressbook: { uses: ['address'], outside: P2P_OUTSIDE },
  // The interface between the switch and the protocols. The folders `switch` and `protocol` import it, and do not
  // import each other.
  reactor: { uses: ['address', 'mconn', 'nodeinfo'], outside: P2P_OUTSIDE },
  protocol: { uses: ['reactor'], outside: P2P_OUTSIDE },
  switch: {
    uses: ['address', 'mconn', 'nodeinfo', 'reactor', 'secret', 'transport'],
    outside: [...P2P_OUTSIDE, 'node:dns/promises'],
  },
  pex: {
    uses: ['address', 'addressbook', 'nodeinfo', 'protocol', 'reactor', 'switch'],
    outside: P2P_OUTSIDE,
  },
  'index.ts': {
    uses: [
      ...['address', 'addressbook', 'mconn', 'nodeinfo', 'pex', 'protocol', 'reactor', 'secret', 'switch'],
      'transport',
    ],
  },
}

/**
 * The folders of the simulator. `world`, `disk` and `peers` replace the clock, the disk and the connections of a
 * computer, and must not import the code of nodes. The folders of faults and invariants must not import the code of
 * networks.
 */
const SIMNET: Readonly<Record<string, FolderRules>> = {
  world: { uses: [], outside: ['@org/runtime', 'node:crypto', 'node:process'] },
  disk: { uses: ['world'], outside: ['@org/engine/storage', '@org/types', 'node:path'] },
  peers: { uses: ['world'], outside: ['@org/engine/protocols', '@org/p2p', '@org/types'] },
  app: { uses: ['world'], outside: ['@org/abci', '@org/types'] },
  // The folder `explorer` is a part of the simulator that tries all orders of messages and timeouts. It runs consensus
  // machines without nodes. It is not the explorer in `apps`.
  explorer: { uses: ['world'], outside: ['@org/engine/consensus', '@org/types'] },
  node: { uses: ['app', 'disk', 'peers', 'world'] },
  byzantine: { uses: ['app', 'node', 'peers', 'world'] },
  faults: { uses: ['disk', 'node', 'peers', 'world'] },
  servers: { uses: ['node', 'world'] },
  invariants: { uses: ['byzantine', 'node', 'peers', 'world'] },
  network: { uses: ['app', 'disk', 'faults', 'invariants', 'node', 'peers', 'servers', 'world'] },
  scenario: { uses: ['byzantine', 'disk', 'faults', 'invariants', 'network', 'servers', 'world'] },
  'light-clients': { uses: ['invariants', 'network', 'servers', 'world'] },
  chain: { uses: ['app', 'disk', 'network', 'node', 'world'] },
  devnet: { uses: ['chain', 'light-clients', 'node', 'peers', 'servers', 'world'] },
  // The folder `entries` and the file `index.ts` have the public entries of the package. They contain only exports.
  entries: { uses: ['byzantine', 'invariants', 'network', 'node', 'peers', 'scenario', 'world'] },
  'index.ts': {
    uses: [
      ...['byzantine', 'chain', 'devnet', 'disk', 'faults', 'invariants', 'light-clients', 'network', 'node'],
      ...['scenario', 'world'],
    ],
  },
}

const inOrder = (folders: readonly string[]): Record<string, FolderRules> =>
  Object.fromEntries(folders.map((folder, index) => [folder, { uses: folders.slice(0, index) }]))

/**
 * The folders and files of each package, and the imports that each of them may have. Every other import is a fault.
 */
export const FOLDERS: Readonly<Record<string, Readonly<Record<string, FolderRules>>>> = {
  '@org/p2p': P2P,
  '@org/simnet': SIMNET,
  '@org/abci': inOrder(ABCI_FOLDERS),
  '@org/light': inOrder(LIGHT_FOLDERS),
  '@org/rpc': inOrder(RPC_FOLDERS),
  '@org/types': inOrder(TYPES_FOLDERS),
  '@org/node': inOrder(NODE_FOLDERS),
  // The folders `tree` and `transaction` must not import the folder `application`.
  '@org/app': {
    'errors.ts': { uses: [] },
    storage: { uses: [] },
    level: { uses: ['errors.ts', 'storage'] },
    tree: { uses: ['errors.ts', 'storage'], outside: [...BROWSER_OUTSIDE, 'lru-cache'] },
    transaction: { uses: ['errors.ts'], outside: BROWSER_OUTSIDE },
    state: { uses: ['errors.ts', 'transaction', 'tree'], outside: BROWSER_OUTSIDE },
    snapshots: { uses: ['errors.ts', 'storage', 'tree'] },
    application: { uses: ['errors.ts', 'snapshots', 'state', 'storage', 'transaction', 'tree'] },
    'index.ts': { uses: ['application', 'errors.ts', 'snapshots', 'state', 'storage', 'transaction'] },
  },
  '@org/engine': {
    ...STORAGE,
    // The consensus machine must also run in a browser, which is possible because it does no input or output.
    'consensus/machine': { uses: [], outside: BROWSER_OUTSIDE },
    signatures: { uses: [] },
    mempool: { uses: [] },
    statesync: { uses: ['statesync/restore'] },
    'statesync/restore': { uses: ['files'] },
    'statesync/backfill': { uses: ['evidence', 'execution', 'signatures', 'store'] },
    'statesync/provider': { uses: ['execution', 'statesync/restore'] },
    privval: { uses: ['files'] },
    evidence: { uses: ['signatures', 'store'] },
    execution: { uses: ['signatures', 'store', 'mempool', 'evidence'] },
    events: { uses: ['events/query'] },
    'events/history': { uses: ['events', 'events/query', 'execution', 'store'] },
    'consensus/driver': {
      uses: ['consensus/machine', 'consensus/wal', 'execution', 'privval', 'signatures', 'store'],
    },
    'consensus/gossip': { uses: ['consensus/driver', 'consensus/machine', 'consensus/wal', 'store'] },
    blocksync: { uses: ['consensus/machine', 'execution', 'signatures', 'store'] },
    recovery: { uses: ['execution', 'privval', 'store'] },
    node: {
      uses: [
        ...['consensus/driver', 'consensus/machine', 'consensus/wal', 'events', 'evidence', 'execution', 'indexer'],
        ...['mempool', 'privval', 'signatures', 'statesync/backfill', 'store'],
      ],
    },
    // The folder `entries` has the public entries of the package. Its files contain only exports.
    entries: {
      uses: [
        ...['blocksync', 'consensus/driver', 'consensus/gossip', 'consensus/machine', 'consensus/wal', 'events'],
        ...['events/history', 'events/query', 'evidence', 'execution', 'files', 'indexer', 'mempool', 'p2p', 'node'],
        ...['signatures', 'statesync', 'statesync/backfill', 'statesync/provider', 'statesync/restore', 'store'],
      ],
    },
    p2p: {
      uses: [
        ...['blocksync', 'consensus/gossip', 'evidence', 'execution', 'files', 'mempool', 'node', 'statesync'],
        'statesync/restore',
      ],
    },
  },
}

function folderOf(folders: Readonly<Record<string, FolderRules>>, path: string): string | undefined {
  const [first = '', second = ''] = path.split('/')
  return [`${first}/${second}`, first].find((name) => name in folders)
}

/**
 * Returns a fault for every import that the rules for the folders and files of a package do not permit.
 * `where` is the path of the package from the root of the repository.
 */
export function folderFaults(directory: string, name: string, where: string): string[] {
  const folders = FOLDERS[name]
  if (folders === undefined) return []
  const src = join(directory, 'src')
  return sourceFiles(src).flatMap((file) => {
    if (file.endsWith('.test.ts')) return []
    const path = relative(src, file)
    const folderName = folderOf(folders, path)
    const folder = folders[folderName ?? '']
    if (folderName === undefined || folder === undefined)
      return [`${where}/src/${path}: no folder of this name in FOLDERS`]
    return importsOf(readFileSync(file, 'utf8')).flatMap((specifier) => {
      if (specifier.startsWith('.')) {
        const other = folderOf(folders, relative(src, join(dirname(file), specifier)))
        if (other === undefined || other === folderName || folder.uses.includes(other)) return []
        return [`${where}/src/${path}: the folder ${folderName} must not use ${other}`]
      }
      if (folder.outside === undefined) return []
      if (folder.outside.some((allowed) => specifier === allowed || specifier.startsWith(`${allowed}/`))) return []
      return [`${where}/src/${path}: the folder ${folderName} must not import ${packageName(specifier) ?? specifier}`]
    })
  })
}
