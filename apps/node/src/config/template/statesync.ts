/**
 * A comment about the backfill, for the key `rpc_servers` of config.toml. The reference has no such comment. So the
 * comment is written only if state sync is enabled. Without state sync, config.toml equals the reference's file.
 */
const BACKFILL_NOTE = `#
# Halley also uses these servers after the start from a snapshot. In the background, the node fetches
# older headers, commits and validators from them, to verify evidence about heights below the snapshot.
# It begins with the greatest height, and ends at the first height whose evidence has expired (the
# consensus parameters max_age_num_blocks and max_age_duration of evidence). Keep enable = true and
# rpc_servers until the log has the line "All headers below the snapshot that evidence may need are
# stored".
`

/** Returns the text of a config.toml with the backfill comment (`BACKFILL_NOTE`) above the key `rpc_servers`. */
export function withBackfillNote(text: string): string {
  return text.includes(BACKFILL_NOTE) ? text : text.replace(/^rpc_servers *=/m, (line) => BACKFILL_NOTE + line)
}

/**
 * The template of the section [statesync] of config.toml. Each `{{section.key}}` is replaced by the value of this key,
 * written as TOML.
 */
export const STATESYNC_TEMPLATE = `#######################################################
###         State Sync Configuration Options        ###
#######################################################
[statesync]
# State sync rapidly bootstraps a new node by discovering, fetching, and restoring a state machine
# snapshot from peers instead of fetching and replaying historical blocks. Requires some peers in
# the network to take and serve state machine snapshots. State sync is not attempted if the node
# has any local state (LastBlockHeight > 0). The node will have a truncated block history,
# starting from the height of the snapshot.
enable = {{statesync.enable}}

# RPC servers (comma-separated) for light client verification of the synced state machine and
# retrieval of state data for node bootstrapping. Also needs a trusted height and corresponding
# header hash obtained from a trusted source, and a period during which validators can be trusted.
#
# For Cosmos SDK-based chains, trust_period should usually be about 2/3 of the unbonding time (~2
# weeks) during which they can be financially punished (slashed) for misbehavior.
rpc_servers = {{statesync.rpc_servers}}
trust_height = {{statesync.trust_height}}
trust_hash = {{statesync.trust_hash}}
trust_period = {{statesync.trust_period}}

# Time to spend discovering snapshots before initiating a restore.
discovery_time = {{statesync.discovery_time}}

# Temporary directory for state sync snapshot chunks, defaults to the OS tempdir (typically /tmp).
# Will create a new, randomly named directory within, and remove it when done.
temp_dir = {{statesync.temp_dir}}

# The timeout duration before re-requesting a chunk, possibly from a different
# peer (default: 1 minute).
chunk_request_timeout = {{statesync.chunk_request_timeout}}

# The number of concurrent chunk fetchers to run (default: 1).
chunk_fetchers = {{statesync.chunk_fetchers}}

# Maximum number of chunks allowed in a snapshot (default: 100000).
max_snapshot_chunks = {{statesync.max_snapshot_chunks}}

`
