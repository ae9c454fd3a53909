import { hostname } from 'node:os'
import { key } from '../key.ts'
import { flag, integer, oneOf, text } from '../kinds.ts'
import { version } from './version.ts'

/** The keys above the first section. */
export const BASE = {
  version: key(version, '0.38.25'),
  proxy_app: key(text, 'tcp://127.0.0.1:26658', {
    help: "address of the application, or 'kvstore', 'persistent_kvstore' (each also as '…-v0.38') or 'noop'",
  }),
  moniker: key(text, hostname() || 'anonymous', { help: 'name of this node' }),
  db_backend: key(oneOf('goleveldb', 'cleveldb', 'boltdb', 'rocksdb', 'badgerdb', 'memdb'), 'goleveldb', {
    help: 'database backend (goleveldb, or memdb for none)',
  }),
  db_dir: key(text, 'data', { help: 'database directory' }),
  log_level: key(text, 'info', { help: "log level: 'info', or pairs 'module:level,*:level'" }),
  log_format: key(oneOf('plain', 'json'), 'plain', { help: 'form of log lines: plain or json' }),
  genesis_file: key(text, 'config/genesis.json'),
  priv_validator_key_file: key(text, 'config/priv_validator_key.json'),
  priv_validator_state_file: key(text, 'data/priv_validator_state.json'),
  priv_validator_laddr: key(text, '', { help: 'address to listen on for a remote signer' }),
  /** The id of the key that the remote signer shows; empty: any. */
  priv_validator_signer_id: key(text, '', {
    own: true,
    help: 'id of the only remote signer that may connect over TCP: 40 hex digits',
  }),
  node_key_file: key(text, 'config/node_key.json'),
  abci: key(oneOf('socket', 'grpc', ''), 'socket', { help: 'how to speak with the application: socket or grpc' }),
  filter_peers: key(flag, false),
  event_bus_buffer_capacity: key(integer(), 0),
  /** Bytes of memory that the process may use; 0: three quarters of the machine's, or of its control group's. */
  max_memory_bytes: key(integer(), 0, {
    own: true,
    help: 'bytes of memory that the node may use; 0: three quarters of what there is',
  }),
}
