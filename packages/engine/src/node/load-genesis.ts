import { messageOf } from '@org/runtime'
import { encodeGenesis, type GenesisDoc, parseGenesis } from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import type { Time } from '@org/types/time'
import type { BlockStore, StateStore } from '../store/index.ts'
import { NODE_ERRORS, NodeError } from './errors.ts'

/** The genesis of a chain, parsed and as text. */
export interface LoadedGenesis {
  readonly genesis: GenesisDoc
  /** The genesis document as it is stored: one line of JSON, as the reference writes it. */
  readonly text: string
  /** A warning for the operator, if the file differs from the stored document. */
  readonly warning?: string
}

/** The source of the genesis document of a new chain. */
export interface GenesisSource {
  readonly read: () => string
  /** The name of the source in errors. */
  readonly name: string
  /** The genesis time that is used if the document has none. */
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

/** The stores of the home. They have the stored genesis document, and show whether the home has a chain already. */
export interface GenesisStores {
  readonly stateStore: Pick<StateStore, 'loadGenesisDoc' | 'saveGenesisDoc' | 'load'>
  readonly blockStore: Pick<BlockStore, 'height'>
}

/**
 * Returns the genesis document of the chain. If no document is stored, loads the document of the file, and stores it.
 * If the file changes before an application has accepted the stored document (InitChain), the changed document replaces
 * the stored one. This is safe, because the node has neither voted nor stored a state. Later changes of the file have
 * no effect.
 */
export async function loadGenesis(
  source: GenesisSource,
  { stateStore, blockStore }: GenesisStores,
): Promise<LoadedGenesis> {
  const save = async (): Promise<LoadedGenesis> => {
    const genesis = parse(source.read(), source)
    const text = encodeGenesis(genesis)
    await stateStore.saveGenesisDoc(utf8ToBytes(text))
    return { genesis, text }
  }
  const stored = stateStore.loadGenesisDoc()
  if (stored === undefined || stored.length === 0) return save()
  const text = new TextDecoder().decode(stored)
  const genesis = parse(text, { name: 'state.db', now: source.now })
  const difference = differenceOf(source, { text, genesis })
  if (difference === undefined) return { genesis, text }
  const hasBlock = blockStore.height() > 0
  if (difference.isReadable && !hasBlock && stateStore.load() === undefined) {
    return {
      ...(await save()),
      warning: `${source.name} ${difference.what}: the file is used, because the chain has no block yet`,
    }
  }
  return { genesis, text, warning: warn(source.name, difference.what, hasBlock) }
}

interface Difference {
  readonly what: string
  readonly isReadable: boolean
}

/** Returns how the file differs from the stored document; `undefined` if the two documents are the same. */
function differenceOf(source: GenesisSource, stored: LoadedGenesis): Difference | undefined {
  try {
    // If the file has no time, each start sets another time. The stored time is used here, so that a missing time does
    // not count as a difference.
    const file = parse(source.read(), { ...source, now: stored.genesis.genesisTime })
    if (file.chainId !== stored.genesis.chainId) {
      return { what: `has another chain id (${file.chainId}, not ${stored.genesis.chainId})`, isReadable: true }
    }
    if (encodeGenesis(file) === stored.text) return undefined
    return { what: 'differs from the genesis document of the first start', isReadable: true }
  } catch (error) {
    return { what: `cannot be read (${(error as Error).message})`, isReadable: false }
  }
}

const warn = (file: string, difference: string, hasBlock: boolean): string =>
  `${file} ${difference}: the file is ignored, because the genesis document of this chain is stored in state.db. To start ${hasBlock ? 'another chain, use another home, or remove this chain' : 'with the file, remove the stored document'} with 'halley unsafe-reset-all --home HOME'.`
