import { key } from '../key.ts'
import { duration, flag, integer, text } from '../kinds.ts'

const MILLISECOND = 1_000_000n
const SECOND = 1_000n * MILLISECOND

export const P2P = {
  laddr: key(text, 'tcp://0.0.0.0:26656', { help: 'address to listen on for peers' }),
  external_address: key(text, '', { help: 'address (ip:port) that is sent to peers, for them to dial this node' }),
  seeds: key(text, '', { help: 'seed nodes, ID@host:port separated by commas' }),
  persistent_peers: key(text, '', {
    help: 'peers to which the node connects again and again, ID@host:port separated by commas',
  }),
  addr_book_file: key(text, 'config/addrbook.json'),
  addr_book_strict: key(flag, true),
  max_num_inbound_peers: key(integer(), 40),
  max_num_outbound_peers: key(integer(), 10),
  unconditional_peer_ids: key(text, '', {
    help: 'IDs of peers, separated by commas, that are accepted even if the limits on connections are reached',
  }),
  persistent_peers_max_dial_period: key(duration(), 0n),
  flush_throttle_timeout: key(duration(), 100n * MILLISECOND),
  max_packet_msg_payload_size: key(integer({ min: 1 }), 1024),
  send_rate: key(integer(), 5_120_000),
  recv_rate: key(integer(), 5_120_000),
  /** The maximum number of bytes of all incomplete messages of all peers together. */
  max_unfinished_bytes: key(integer({ min: 16_777_216 }), 268_435_456, {
    isHalleyOnly: true,
    help: 'maximum bytes of the incomplete messages of all peers together',
  }),
  pex: key(flag, true, { help: 'ask peers for addresses of other nodes, and answer such requests of peers' }),
  seed_mode: key(flag, false, {
    help: 'run as a seed node: send addresses of nodes to each peer, then disconnect the peer',
  }),
  private_peer_ids: key(text, '', {
    help: 'IDs of peers whose addresses are not sent to other peers, separated by commas',
  }),
  allow_duplicate_ip: key(flag, false),
  handshake_timeout: key(duration(), 20n * SECOND),
  dial_timeout: key(duration(), 3n * SECOND),
}
