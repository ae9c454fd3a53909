import { utf8ToBytes } from '@org/types/bytes'
import { encodeGenesis, type GenesisDoc, parseGenesis } from '@org/types/genesis'
import type { Time } from '@org/types/time'
import type { StateStore } from '../store/index.ts'
import { NODE_ERRORS, NodeError } from './errors.ts'

export interface LoadedGenesis {
  readonly genesis: GenesisDoc
  /** One line of JSON in the reference's form, as it is stored. */
  readonly text: string
}

/** Where the document of a new chain comes from. */
export interface GenesisSource {
  readonly read: () => string
  /** Names it in errors. */
  readonly name: string
  /** Stands in for an absent time. */
  readonly now: Time
}

function parse(text: string, { name, now }: Omit<GenesisSource, 'read'>): GenesisDoc {
  try {
    return parseGenesis(text, now)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new NodeError(NODE_ERRORS.genesis, `error in the genesis document of ${name}: ${reason}`, {
      data: { file: name },
      cause,
    })
  }
}

/**
 * The genesis document that the chain began with: the one that is stored, else the file's, which is then stored. A file that
 * changes later changes nothing.
 */
export async function loadGenesis(
  source: GenesisSource,
  { stateStore }: { readonly stateStore: Pick<StateStore, 'loadGenesisDoc' | 'saveGenesisDoc'> },
): Promise<LoadedGenesis> {
  const stored = stateStore.loadGenesisDoc()
  if (stored !== undefined && stored.length > 0) {
    const text = new TextDecoder().decode(stored)
    return { genesis: parse(text, { name: 'state.db', now: source.now }), text }
  }
  const genesis = parse(source.read(), source)
  const text = encodeGenesis(genesis)
  await stateStore.saveGenesisDoc(utf8ToBytes(text))
  return { genesis, text }
}
