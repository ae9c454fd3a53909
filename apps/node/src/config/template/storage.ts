/**
 * The template of the section [storage] of config.toml. Each `{{section.key}}` is replaced by the value of this key,
 * written as TOML.
 */
export const STORAGE_TEMPLATE = `#######################################################
###         Storage Configuration Options           ###
#######################################################
[storage]

# Set to true to discard ABCI responses from the state store, which can save a
# considerable amount of disk space. Set to false to ensure ABCI responses are
# persisted. ABCI responses are required for /block_results RPC queries, and to
# reindex events in the command-line tool.
discard_abci_responses = {{storage.discard_abci_responses}}

`
