/**
 * The template of the section [consensus] of config.toml. Each `{{section.key}}` is replaced by the value of this key,
 * written as TOML.
 */
export const CONSENSUS_TEMPLATE = `#######################################################
###         Consensus Configuration Options         ###
#######################################################
[consensus]

wal_file = {{consensus.wal_file}}

# How long we wait for a proposal block before prevoting nil
timeout_propose = {{consensus.timeout_propose}}
# How much timeout_propose increases with each round
timeout_propose_delta = {{consensus.timeout_propose_delta}}
# How long we wait after receiving +2/3 prevotes for “anything” (ie. not a single block or nil)
timeout_prevote = {{consensus.timeout_prevote}}
# How much the timeout_prevote increases with each round
timeout_prevote_delta = {{consensus.timeout_prevote_delta}}
# How long we wait after receiving +2/3 precommits for “anything” (ie. not a single block or nil)
timeout_precommit = {{consensus.timeout_precommit}}
# How much the timeout_precommit increases with each round
timeout_precommit_delta = {{consensus.timeout_precommit_delta}}
# How long we wait after committing a block, before starting on the new
# height (this gives us a chance to receive some more precommits, even
# though we already have +2/3).
timeout_commit = {{consensus.timeout_commit}}

# How many blocks to look back to check existence of the node's consensus votes before joining consensus
# When non-zero, the node will panic upon restart
# if the same consensus key was used to sign {double_sign_check_height} last blocks.
# So, validators should stop the state machine, wait for some blocks, and then restart the state machine to avoid panic.
double_sign_check_height = {{consensus.double_sign_check_height}}

# Make progress as soon as we have all the precommits (as if TimeoutCommit = 0)
skip_timeout_commit = {{consensus.skip_timeout_commit}}

# EmptyBlocks mode and possible interval between empty blocks
create_empty_blocks = {{consensus.create_empty_blocks}}
create_empty_blocks_interval = {{consensus.create_empty_blocks_interval}}

# Reactor sleep duration parameters
peer_gossip_sleep_duration = {{consensus.peer_gossip_sleep_duration}}
peer_query_maj23_sleep_duration = {{consensus.peer_query_maj23_sleep_duration}}

# Maximum allowed difference between proposed block time and wall-clock time.
block_time_tolerance = {{consensus.block_time_tolerance}}

`
