import { messageOf } from '@org/runtime'
import { utf8ToBytes } from '@org/types/bytes'
import { encodeGenesis, type GenesisDoc, parseGenesis } from '@org/types/genesis'
import type { Time } from '@org/types/time'
import type { StateStore } from '../store/index.ts'
import { NODE_ERRORS, NodeError } from './errors.ts'

export interface LoadedGenesis {
  readonly genesis: GenesisDoc
  /** One line of JSON in the reference's form, as it is stored. */
  readonly text: string
  /** What to tell the operator, if the file is not the document that counts. */
  readonly warning?: string
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
    const reason = messageOf(cause)
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
    const genesis = parse(text, { name: 'state.db', now: source.now })
    const difference = differenceOf(source, { text, genesis })
    return { genesis, text, ...(difference === undefined ? {} : { warning: warn(source.name, difference) }) }
  }
  const genesis = parse(source.read(), source)
  const text = encodeGenesis(genesis)
  await stateStore.saveGenesisDoc(utf8ToBytes(text))
  return { genesis, text }
}

/** How the file differs from the stored document; `undefined` if it does not. */
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
