/** The text below the options in a command's help. */
export const HELP_TEXTS = {
  program: `
  halley devnet                                        run a chain for development, with one command
  halley init && halley start --proxy_app=kvstore      run a node with a home, files and logs like the Go node's
  halley start --help                                  list the settings
`,
  devnet: `
Runs a chain with one validator and a persistent key-value store. A block is made about every half second. Every web
page in a browser on this machine may use the RPC. No log is written.

The chain is stored in the folder .halley/devnet below the working folder (.halley/devnet-<number> with several validators), unless
--home or an environment variable names another home. The next start continues the chain. With --ephemeral the chain is stored in
a temporary folder, which is removed at the end.

  halley devnet --log                                        print blocks and transactions as they are committed
  halley devnet --open                                       open the page of the chain in a browser
  halley devnet --reset                                      start a new chain with the same keys and settings
  halley devnet --validators 3 --statesync                   see a fourth node join by state sync
  halley devnet --control                                    make blocks, set the clock and take snapshots by RPC
  halley devnet --proxy_app tcp://127.0.0.1:26658            run your own application
  halley devnet --reset --app-state '{"alice":"100"}'        start a new chain and give the application its first state
  halley devnet --app ./app.ts --watch                       develop an application in TypeScript

With --control the chain is in memory, and its clock moves only by a call: a transaction gets its block at once. The RPC also has the calls
advance_blocks, advance_time, set_signing_status and cause_double_sign of CometMock, and dev_info, dev_mine, dev_automine,
dev_interval, dev_setTime, dev_increaseTime, dev_validators, dev_dropTx, dev_holdTx, dev_snapshot, dev_revert, dev_reset, dev_crash,
dev_restart, dev_partition, dev_heal, dev_delay, dev_dump, dev_load and dev_fork. dev_validators?validator=new&power=10 adds a
validator, which runs in this process. The application may be a built-in one, one in a file (--app), or one in another process
(--proxy_app). When the chain goes back to an earlier height, an application in another process restores one of its own snapshots. For
an application without snapshots, --app-restart names a command that starts the application again with its first state:

  halley devnet --control --proxy_app tcp://127.0.0.1:26658 --app-restart './restart.sh'
  halley devnet --control --dump chain.dump                  write the chain to a file at the end; --load begins with it
  halley devnet --fork ~/.cometbft                           continue a copy of the chain of a stopped node
  halley start --devnet                                      the same control for a genesis and keys of your own

With --proxy_app the application runs in another process, in any language. If the application ends, the chain waits until it runs
again, and sends it the blocks that it does not have. Each transaction, event and refusal is printed.

--app runs an application in the same process. The default export of the file is the application, or a function that makes it. No build
is needed: Node.js removes the types. So TypeScript that produces code is not allowed (no enum, no parameter property). An application:

  export default () => {
    let total = 0
    return {
      checkTx: ({ tx }) => ({ code: tx.length <= 100 ? 0 : 1, log: 'at most 100 bytes' }),
      finalizeBlock: ({ txs }) => {
        total += txs.length
        return { txResults: txs.map(() => ({ code: 0 })), appHash: String(total) }
      },
      query: () => ({ value: String(total) }),
    }
  }

Each transaction, event and error is printed, with the line of your code. With --watch a change of the file, or of a file that it
imports by a path, makes a new application, and the chain is replayed into it. If the new application computes another app hash for
an old block, both hashes are printed and a new chain begins. If the file has an error, the error is printed, and the chain continues
with the previous application. Packages are loaded only once. The chain of ./src/app.ts is stored in .halley/app-src-app.
`,
  init: `
Writes config/config.toml, config/genesis.json (a new chain with this node as its only validator), config/node_key.json,
config/priv_validator_key.json and data/priv_validator_state.json. Files that exist are not changed. To join an existing chain,
replace genesis.json with the genesis file of that chain.
`,
  showNodeId: `
Other nodes use the ID in their persistent_peers: <ID>@<host>:26656.
`,
  genValidator: `
Prints a new key. No file is written.
`,
  inspect: `
Use this command for a stopped node that cannot start or must not start. The command answers the RPC operations that need only the stored
data (block, block_results, header, commit, validators, tx, tx_search, ...), at the address of rpc.laddr. Ctrl-C ends the command.
`,
  resetState: `
Removes the databases and the write-ahead log (WAL). Keys, configuration and the record of what the validator signed last are kept,
so the validator cannot sign twice. After a power failure, start and stop the node once before this command: the start copies the
signatures that are only in the WAL into that record. The command does not touch the application's own state; if the application
keeps a state, reset it too. At the next start the node fetches the blocks from its peers, or begins the chain again.
`,
  resetAll: `
Removes the data folder and the address book. Keys and configuration are kept. This is unsafe: the validator forgets what it
signed, so it may sign a second block for the same height and be punished for it. Use it only if the whole chain starts again from
its genesis.
`,
  resetPrivValidator: `
Removes the record of what the validator signed. If the validator has no key, a new key is generated. This is unsafe: the validator
may sign a second block for the same height and be punished for it. Use it only if the whole chain starts again from its genesis.
`,
  start: `
Runs the node until Ctrl-C or SIGTERM. The node needs a home: make one with 'halley init'. By default the node connects to an
application at tcp://127.0.0.1:26658, and waits until the application listens there. With --proxy_app=kvstore the node runs a
key-value store as its application, in the same process.

After a consensus failure, or when the application is lost, the process ends with exit code 1, so that a supervisor can restart it
or raise an alarm. With --stay-up the process keeps answering requests; /livez and /readyz then answer with status 503.

With --devnet the chain of the home's genesis runs in memory with the home's key, and the RPC controls its blocks, time and
validators, as with 'halley devnet --control'. No file of the home is changed. The keys must have more than two thirds of the power:
--devnet-keys net/node1/config/priv_validator_key.json,net/node2/config/priv_validator_key.json adds further keys.

'halley node' and 'halley run' are other names of this command.
`,
  testnet: `
Makes --v validators and --n other nodes. Each node gets a folder with its keys and its configuration; all have the same genesis
file. The nodes find each other by host names, or by consecutive IP addresses, which need not be public:

  halley testnet --v 4 --o ./output --populate-persistent-peers --starting-ip-address 192.168.10.2

With --statesync the nodes that are not validators begin with a snapshot of the application. The application of the validators must
take snapshots; the built-in kvstore takes them. The RPC of the validators is then open to other machines (rpc.laddr =
"tcp://0.0.0.0:26657"). When the chain runs, 'halley snapshot trust-root --write' adds a header to trust to a home:

  halley testnet --v 3 --n 1 --statesync
  halley start --home ./mytestnet/node0 --proxy_app=kvstore               # and node1, node2, each on its machine
  halley snapshot trust-root --write --home ./mytestnet/node3
  halley start --home ./mytestnet/node3 --proxy_app=kvstore
`,
  rollback: `
Use this command if the application executed the last block wrongly: the app hash of the application differs from the app hash of the
chain, and the node cannot continue. The command sets the node's state back by one height. Set the application back by one height as well. The last block is
kept and executed again at the next start; with --hard the block is removed too. The command may be repeated.
`,
  trustRoot: `
Prints trust_height, trust_hash and trust_period for the section [statesync] of config.toml. With two or more nodes, it also prints
rpc_servers, and it fails if the nodes do not have the same header. trust_period is two thirds of the time in which evidence is valid
(evidence.max_age_duration of the chain). A node can send a false header: compare the hash with a source that you trust.

  halley snapshot trust-root --node http://one.example:26657 --node http://two.example:26657

With --write the lines are also written into the config.toml of --home, with enable = true. Without --node the nodes are the
rpc_servers of that file:

  halley snapshot trust-root --write --home ./mytestnet/node3
`,
  light: `
Serves the RPC of a node at another address, and verifies what the node answers. The proxy trusts only the header that you name with
--height and --hash. Take this header from a source that you trust: an explorer, a friend, or a node of your own. The witnesses confirm
the headers of the primary. As long as one witness is honest, the proxy detects a false header of the primary, and sends evidence of
the attack to the primary and to that witness.

  halley snapshot trust-root --node http://one.example:26657
  halley light my-chain --primary http://one.example:26657 --witnesses http://two.example:26657 --height 962118 --hash 28B97BE9...
  curl 'http://localhost:8888/block?height=962200'

Later starts need only the chain id, because the addresses of the nodes and the verified headers are stored in --home-dir. If an answer
cannot be proven, such as the answer of an application without proofs to a query, the proxy returns an error that says what to do.
`,
  reindexEvent: `
Writes the index of the stored blocks again, for a node that lost its index or ran without an index. By default all stored blocks are
indexed. The results of the blocks must be stored, so the command does not work with discard_abci_responses = true.

  halley reindex-event
  halley reindex-event --start-height 2
  halley reindex-event --start-height 2 --end-height 10
`,
} as const
