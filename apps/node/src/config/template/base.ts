/**
 * The template of the keys above the first section of config.toml. Each `{{section.key}}` is replaced by the value of
 * this key, written as TOML.
 */
export const BASE_TEMPLATE = `# This is a TOML config file.
# For more information, see https://github.com/toml-lang/toml

# NOTE: Any path below can be absolute (e.g. "/var/myawesomeapp/data") or
# relative to the home directory (e.g. "data"). The home directory is
# "$HOME/.cometbft" by default, but could be changed via $CMTHOME env variable
# or --home cmd flag.

# The version of the CometBFT binary that created or
# last modified the config file. Do not modify this.
version = {{base.version}}

#######################################################################
###                   Main Base Config Options                      ###
#######################################################################

# TCP or UNIX socket address of the ABCI application,
# or the name of an ABCI application compiled in with the CometBFT binary
proxy_app = {{base.proxy_app}}

# A custom human readable name for this node
moniker = {{base.moniker}}

# Database backend: goleveldb | cleveldb | boltdb | rocksdb | badgerdb
# * goleveldb (github.com/syndtr/goleveldb - most popular implementation)
#   - pure go
#   - stable
# * cleveldb (uses levigo wrapper)
#   - fast
#   - requires gcc
#   - use cleveldb build tag (go build -tags cleveldb)
# * boltdb (uses etcd's fork of bolt - github.com/etcd-io/bbolt)
#   - EXPERIMENTAL
#   - may be faster is some use-cases (random reads - indexer)
#   - use boltdb build tag (go build -tags boltdb)
# * rocksdb (uses github.com/tecbot/gorocksdb)
#   - EXPERIMENTAL
#   - requires gcc
#   - use rocksdb build tag (go build -tags rocksdb)
# * badgerdb (uses github.com/dgraph-io/badger)
#   - EXPERIMENTAL
#   - use badgerdb build tag (go build -tags badgerdb)
db_backend = {{base.db_backend}}

# Database directory
db_dir = {{base.db_dir}}

# Output level for logging, including package level options
log_level = {{base.log_level}}

# Output format: 'plain' (colored text) or 'json'
log_format = {{base.log_format}}

##### additional base config options #####

# Path to the JSON file containing the initial validator set and other meta data
genesis_file = {{base.genesis_file}}

# Path to the JSON file containing the private key to use as a validator in the consensus protocol
priv_validator_key_file = {{base.priv_validator_key_file}}

# Path to the JSON file containing the last sign state of a validator
priv_validator_state_file = {{base.priv_validator_state_file}}

# TCP or UNIX socket address for CometBFT to listen on for
# connections from an external PrivValidator process
priv_validator_laddr = {{base.priv_validator_laddr}}

# Path to the JSON file containing the private key to use for node authentication in the p2p protocol
node_key_file = {{base.node_key_file}}

# Mechanism to connect to the ABCI application: socket | grpc
abci = {{base.abci}}

# If true, query the ABCI app on connecting to a new peer
# so the app can decide if we should keep the connection or not
filter_peers = {{base.filter_peers}}

# Buffer capacity for the internal EventBus. A value of 0 means unbuffered
# (publishers block until subscribers receive). Higher values reduce back-pressure
# at the cost of memory.
event_bus_buffer_capacity = {{base.event_bus_buffer_capacity}}


#######################################################################
###                 Advanced Configuration Options                  ###
#######################################################################

`
