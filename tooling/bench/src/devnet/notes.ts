/**
 * The note below the table of the devnets. It explains what each measured program does for a block and for a
 * transaction.
 */
export const COMPARISON = `The three programs do different work for a block. Halley and CometMock sign and keep each block, and their kvstore
executes it. CometMock's kvstore is a process of its own, because CometMock has no application inside. Anvil is a chain
of Ethereum without validators and signatures of blocks. A transaction counts from the request until it is in a block
and can be queried: Halley answers broadcast_tx_commit then, and Anvil eth_sendTransactionSync. CometMock refuses
broadcast_tx_commit, so it gets broadcast_tx_sync, and then /tx until it finds the transaction.`

/** The notes for programs that are not installed. Each note explains how to install its program. */
export const INSTALL = {
  cometmock: `CometMock was not measured: there is no 'cometmock' on PATH, nor at COMETMOCK_BIN. To install it: git clone --branch
v0.38.x https://github.com/informalsystems/CometMock && cd CometMock && go install ./cometmock`,
  anvil: `Anvil was not measured: there is no 'anvil' on PATH, nor at ANVIL_BIN. To install it: npm install --global
@foundry-rs/anvil`,
} as const

/**
 * The time that Anvil needs for 1,000 blocks, as published in a user's issue: "perf: `anvil_mine` is much slower than
 * `hardhat_mine`", 50 calls of 1,000 blocks in 276.3 s.
 */
export const PUBLISHED_ANVIL = `The published figure of Anvil (not measured here): 1,000 blocks by anvil_mine took 5.5 s, the mean of 50 calls of one process
(https://github.com/foundry-rs/foundry/issues/5499, 28 July 2023, machine not named). For a transaction Foundry documents
that a block is mined at once (https://getfoundry.sh/anvil/mining), and publishes no time.`
