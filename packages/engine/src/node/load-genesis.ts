import { messageOf } from '@org/runtime'
import { utf8ToBytes } from '@org/types/bytes'
import { encodeGenesis, type GenesisDoc, parseGenesis } from '@org/types/genesis'
import type { Time } from '@org/types/time'
import type { StateStore } from '../store/index.ts'
import { NODE_ERRORS, NodeError } from './errors.ts'

export interface LoadedGenesis {
  readonly genesis: GenesisDoc
  /** The stored form: one line of JSON as the reference writes it. */
  readonly text: string
  /** A warning for the operator, if the file differs from the stored document. */
  readonly warning?: string
}

/** The source of the genesis document of a new chain. */
export interface GenesisSource {
  readonly read: () => string
  /** The name for errors. */
  readonly name: string
  /** The time to use if the document has none. */
  readonly now: Time
}

function parse(text: string, { name, now }: Omit<GenesisSource, 'read'>): GenesisDoc {
  try {
    return parseGenesis(text, now)
  } catch (cause) {
    const reason = messageOf(cause)
    throw new NodeError(NODE_ERRORS.genesis, `error in the genesis document of ${name}: ${reason}`, {
      data: { file: name },
      cause,
    })
  }
}

/**
 * Loads the genesis document that the chain began with: the stored document, or else the file, which is then stored.
 * Later changes of the file have no effect.
 */
export async function loadGenesis(
  source: GenesisSource,
  { stateStore }: { readonly stateStore: Pick<StateStore, 'loadGenesisDoc' | 'saveGenesisDoc'> },
): Promise<LoadedGenesis> {
  const stored = stateStore.loadGenesisDoc()
  if (stored !== undefined && stored.length > 0) {
    const text = new TextDecoder().decode(stored)
    const genesis = parse(text, { name: 'state.db', now: source.now })
    const difference = differenceOf(source, { text, genesis })
    return { genesis, text, ...(difference === undefined ? {} : { warning: warn(source.name, difference) }) }
  }
  const genesis = parse(source.read(), source)
  const text = encodeGenesis(genesis)
  await stateStore.saveGenesisDoc(utf8ToBytes(text))
  return { genesis, text }
}

/** Describes how the file differs from the stored document; `undefined` if they are equal. */
function differenceOf(source: GenesisSource, stored: LoadedGenesis): string | undefined {
  try {
    const file = parse(source.read(), source)
    if (file.chainId !== stored.genesis.chainId)
      return `is of another chain (${file.chainId}, not ${stored.genesis.chainId})`
    return encodeGenesis(file) === stored.text ? undefined : 'says something else'
  } catch (error) {
    return `cannot be read (${(error as Error).message})`
  }
}

const warn = (file: string, difference: string): string =>
  `${file} ${difference}: it is ignored, the document that this chain began with is in state.db. For another chain use another home.`
