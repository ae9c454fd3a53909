import * as abci from '@org/types/abci'
import * as bits from '@org/types/bits'
import * as block from '@org/types/block'
import * as blocksync from '@org/types/blocksync'
import * as consensus from '@org/types/consensus'
import * as crypto from '@org/types/crypto'
import * as events from '@org/types/events'
import * as evidence from '@org/types/evidence'
import * as mempool from '@org/types/mempool'
import * as p2p from '@org/types/p2p'
import * as params from '@org/types/params'
import * as privval from '@org/types/privval'
import type { MessageSchema } from '@org/types/schema'
import * as state from '@org/types/state'
import * as statesync from '@org/types/statesync'
import * as validators from '@org/types/validators'
import * as vote from '@org/types/vote'
import * as store from '../src/store/index.ts'
import * as version from '../src/version/index.ts'

export type AnySchema = MessageSchema<unknown>

export function isSchema(value: unknown): value is AnySchema {
  return typeof value === 'object' && value !== null && 'typeName' in value && 'shape' in value
}

const FOLDERS: readonly object[] = [
  abci,
  bits,
  block,
  blocksync,
  consensus,
  crypto,
  events,
  evidence,
  mempool,
  p2p,
  params,
  privval,
  state,
  statesync,
  store,
  validators,
  version,
  vote,
]

/** All message schemas that the package exports. */
export const ALL_SCHEMAS: readonly AnySchema[] = FOLDERS.flatMap((folder) => Object.values(folder).filter(isSchema))
