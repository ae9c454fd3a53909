import { key } from '../key.ts'
import { flag, integer, oneOf, text } from '../kinds.ts'

export const STORAGE = { discard_abci_responses: key(flag, false) }

export const TX_INDEX = {
  indexer: key(oneOf('kv', 'null', 'psql', ''), 'kv'),
  'psql-conn': key(text, ''),
  /** Whether to remove the index entries of a block that is pruned. The reference keeps these entries. */
  prune: key(flag, false, { isHalleyOnly: true, help: 'remove index entries of blocks that are pruned' }),
}

export const INSTRUMENTATION = {
  prometheus: key(flag, false),
  prometheus_listen_addr: key(text, ':26660'),
  max_open_connections: key(integer(), 3),
  namespace: key(text, 'cometbft'),
}
