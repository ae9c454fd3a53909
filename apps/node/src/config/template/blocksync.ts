/**
 * The template of the section [blocksync] of config.toml. Each `{{section.key}}` is replaced by the value of this key,
 * written as TOML.
 */
export const BLOCKSYNC_TEMPLATE = `#######################################################
###       Block Sync Configuration Options          ###
#######################################################
[blocksync]

# Block Sync version to use:
#
# In v0.37, v1 and v2 of the block sync protocols were deprecated.
# Please use v0 instead.
#
#   1) "v0" - the default block sync implementation
version = {{blocksync.version}}

`
