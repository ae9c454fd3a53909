/** The text below the options in a command's help. */
export const HELP_TEXTS = {
  program: `
  halley devnet                                        a chain to develop against, in one command
  halley init && halley start --proxy_app=kvstore      the same with a home, files and logs like the Go node's
  halley start --help                                  every setting
`,
  devnet: `
A chain of one validator and a persistent key-value store, with a block a second or faster, an RPC for every browser and no log. It
lives in .halley/devnet of this folder (.halley/devnet-<number> with several validators) unless --home or a variable names a
home; started again, it goes on. With --ephemeral it lives in a temporary folder, which is removed at the end.

  halley devnet --log                                        also write blocks and transactions as they come
  halley devnet --reset                                      begin again: another chain, the same keys and settings
  halley devnet --proxy_app tcp://127.0.0.1:26658            with your own application
  halley devnet --reset --app-state '{"alice":"100"}'        with a state for the application to begin with
`,
  init: `
Makes config/config.toml, genesis.json (a new chain with this node as its one validator), node_key.json and
priv_validator_key.json, and data/priv_validator_state.json. What is there stays as it is: to join a chain, put its genesis.json in.
`,
  showNodeId: `
Others name this node by it: <ID>@<host>:26656 in their persistent_peers.
`,
  genValidator: `
Prints the key; nothing is written.
`,
  inspect: `
For a node that has stopped and should not, or cannot, be started. Answers what needs the stores only (block, block_results, header,
commit, validators, tx, tx_search, ...) where --rpc.laddr or config.toml says. Ctrl-C ends it.
`,
  resetState: `
The databases and the WAL. Keys, configuration and what was signed last stay, so the validator cannot sign twice; after a loss of power,
start and stop the node once before, so that the signer learns what the WAL has. The application's own state is not touched; one that
keeps any must be reset too. The node then gets the chain from its peers, or begins it again.
`,
  resetAll: `
The whole data folder and the address book; keys and configuration stay. Unsafe, because a validator that forgets what it signed may
sign something else for the same height, and be punished for it: only for chains that begin again at their genesis.
`,
  resetPrivValidator: `
Forgets what was signed; makes a key if there is none. Unsafe, because the validator may then sign something else for a height that
it has signed, and be punished for it: only for chains that begin again at their genesis.
`,
  start: `
Runs until Ctrl-C or SIGTERM. 'halley init' makes the home that it needs. Without --proxy_app it waits for an application at
tcp://127.0.0.1:26658; --proxy_app=kvstore runs one in this process.

After a consensus failure it ends with exit code 1, so that a supervisor sees it. With --stay-up it goes on answering requests, as
the Go node does; /livez and /readyz answer 503 then.

'halley node' and 'halley run' are the same command.
`,
  testnet: `
Makes --v validators and --n further nodes, each with its own folder of keys, configuration and the one genesis document.
Addresses need not be routable. The nodes know each other by host names, or by addresses that count up:

  halley testnet --v 4 --o ./output --populate-persistent-peers --starting-ip-address 192.168.10.2
`,
  rollback: `
For an application that executed the last block wrongly, so that its hash does not match and the chain cannot go on. The state
of the height before takes the place of the last one; roll the application back as well. The block is kept and executed again
at the next start; with --hard it is removed too. May be repeated.
`,
  reindexEvent: `
Writes the index of stored blocks again, for a node whose index was lost or off. From the first stored block to the last, unless
told otherwise. It needs the stored results of the blocks: not with discard_abci_responses = true.

  halley reindex-event
  halley reindex-event --start-height 2
  halley reindex-event --start-height 2 --end-height 10
`,
} as const
