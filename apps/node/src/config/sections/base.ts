import { hostname } from 'node:os'
import { SOFTWARE_VERSION } from '@org/types'
import { key } from '../key.ts'
import { flag, integer, oneOf, text } from '../kinds.ts'
import { version } from './version.ts'

/** The keys above the first section. */
export const BASE = {
  version: key(version, SOFTWARE_VERSION),
  proxy_app: key(text, 'tcp://127.0.0.1:26658', {
    help: 'address of the application, or an application in this process: kvstore, persistent_kvstore, kvstore-v0.38, persistent_kvstore-v0.38 or noop',
  }),
  moniker: key(text, hostname() || 'anonymous', { help: 'name of this node' }),
  db_backend: key(oneOf('goleveldb', 'cleveldb', 'boltdb', 'rocksdb', 'badgerdb', 'memdb'), 'goleveldb', {
    help: 'database: goleveldb, or memdb, which loses all data when the node ends',
  }),
  db_dir: key(text, 'data', { help: 'directory of the databases' }),
  log_level: key(text, 'info', {
    help: "log level: debug, info, error or none, or pairs such as 'consensus:debug,*:error'",
  }),
  log_format: key(oneOf('plain', 'json'), 'plain', { help: 'format of log lines: plain or json' }),
  genesis_file: key(text, 'config/genesis.json'),
  priv_validator_key_file: key(text, 'config/priv_validator_key.json'),
  priv_validator_state_file: key(text, 'data/priv_validator_state.json'),
  priv_validator_laddr: key(text, '', { help: 'address to which a remote signer connects' }),
  /** The id of the only remote signer that may connect; empty if every signer may. */
  priv_validator_signer_id: key(text, '', {
    isHalleyOnly: true,
    help: 'ID of the only remote signer that may connect over TCP: 40 hex digits',
  }),
  node_key_file: key(text, 'config/node_key.json'),
  abci: key(oneOf('socket', 'grpc', ''), 'socket', { help: 'protocol between node and application: socket or grpc' }),
  filter_peers: key(flag, false),
  event_bus_buffer_capacity: key(integer(), 0),
  /**
   * The number of bytes of memory that the process may use. 0 means three quarters of the available memory: the memory
   * of the machine, or the limit of the process's control group if that is lower.
   */
  max_memory_bytes: key(integer(), 0, {
    isHalleyOnly: true,
    help: 'maximum bytes of memory of the node; 0 means three quarters of the memory of the machine',
  }),
}
