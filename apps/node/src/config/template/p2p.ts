/**
 * The template of the section [p2p] of config.toml. Each `{{section.key}}` is replaced by the value of this key,
 * written as TOML.
 */
export const P2P_TEMPLATE = `#######################################################
###           P2P Configuration Options             ###
#######################################################
[p2p]

# Address to listen for incoming connections
laddr = {{p2p.laddr}}

# Address to advertise to peers for them to dial. If empty, will use the same
# port as the laddr, and will introspect on the listener to figure out the
# address. IP and port are required. Example: 159.89.10.97:26656
external_address = {{p2p.external_address}}

# Comma separated list of seed nodes to connect to
seeds = {{p2p.seeds}}

# Comma separated list of nodes to keep persistent connections to
persistent_peers = {{p2p.persistent_peers}}

# Path to address book
addr_book_file = {{p2p.addr_book_file}}

# Set true for strict address routability rules
# Set false for private or local networks
addr_book_strict = {{p2p.addr_book_strict}}

# Maximum number of inbound peers
max_num_inbound_peers = {{p2p.max_num_inbound_peers}}

# Maximum number of outbound peers to connect to, excluding persistent peers
max_num_outbound_peers = {{p2p.max_num_outbound_peers}}

# List of node IDs, to which a connection will be (re)established ignoring any existing limits
unconditional_peer_ids = {{p2p.unconditional_peer_ids}}

# Maximum pause when redialing a persistent peer (if zero, exponential backoff is used)
persistent_peers_max_dial_period = {{p2p.persistent_peers_max_dial_period}}

# Time to wait before flushing messages out on the connection
flush_throttle_timeout = {{p2p.flush_throttle_timeout}}

# Maximum size of a message packet payload, in bytes
max_packet_msg_payload_size = {{p2p.max_packet_msg_payload_size}}

# Rate at which packets can be sent, in bytes/second
send_rate = {{p2p.send_rate}}

# Rate at which packets can be received, in bytes/second
recv_rate = {{p2p.recv_rate}}

# Set true to enable the peer-exchange reactor
pex = {{p2p.pex}}

# Seed mode, in which node constantly crawls the network and looks for
# peers. If another node asks it for addresses, it responds and disconnects.
#
# Does not work if the peer-exchange reactor is disabled.
seed_mode = {{p2p.seed_mode}}

# Comma separated list of peer IDs to keep private (will not be gossiped to other peers)
private_peer_ids = {{p2p.private_peer_ids}}

# Toggle to disable guard against peers connecting from the same ip.
allow_duplicate_ip = {{p2p.allow_duplicate_ip}}

# Peer connection configuration.
handshake_timeout = {{p2p.handshake_timeout}}
dial_timeout = {{p2p.dial_timeout}}

`
