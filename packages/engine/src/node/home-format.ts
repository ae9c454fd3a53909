import { BLOCK_PROTOCOL, type State } from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import type { KeyValueStore } from '../store/index.ts'
import { NODE_ERRORS, NodeError } from './errors.ts'

/** Only later versions of the reference write an entry with this key. The value is the number of their key layout. */
const LAYOUT_KEY = utf8ToBytes('version')
const LAYOUT = '1'

/**
 * Throws if the keys of a database have the layout of a newer version of the reference. This node would not find the
 * entries of such a database, and would add entries in its own layout.
 */
export function checkKeyLayout(name: string, db: Pick<KeyValueStore, 'get'>): void {
  const bytes = db.get(LAYOUT_KEY)
  const layout = bytes === undefined ? LAYOUT : new TextDecoder().decode(bytes)
  if (layout === LAYOUT) return
  throw new NodeError(
    NODE_ERRORS.homeFormat,
    `the database ${name} has key layout ${layout}, but this version reads layout ${LAYOUT}: a newer version of halley wrote this home; run that version`,
    { data: { name, layout } },
  )
}

/** Throws if the state has another version of the block protocol than this node. */
export function checkProtocol(state: State): void {
  const { block } = state.version.consensus
  if (block === BLOCK_PROTOCOL) return
  throw new NodeError(
    NODE_ERRORS.homeFormat,
    `the home was written with block protocol ${block}, but this version of halley supports ${BLOCK_PROTOCOL}: run the version that wrote the home`,
    { data: { block: block.toString() } },
  )
}
