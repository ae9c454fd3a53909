import * as chain from '@org/types'
import * as abci from '@org/types/abci'
import * as crypto from '@org/types/crypto'
import * as messages from '@org/types/messages'
import * as p2p from '@org/types/p2p'
import type { MessageSchema } from '@org/types/schema'

export type AnySchema = MessageSchema<unknown>

export function isSchema(value: unknown): value is AnySchema {
  return typeof value === 'object' && value !== null && 'typeName' in value && 'shape' in value
}

const ENTRIES: readonly object[] = [chain, abci, crypto, messages, p2p]

/** All message schemas that the package exports. */
export const ALL_SCHEMAS: readonly AnySchema[] = ENTRIES.flatMap((entry) => Object.values(entry).filter(isSchema))
