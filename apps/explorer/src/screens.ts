import type { ComponentType } from 'preact'
import { BlockScreen } from './screens/block.tsx'
import { Blocks } from './screens/blocks.tsx'
import { Chain } from './screens/chain.tsx'
import { Consensus } from './screens/consensus.tsx'
import { Devnet } from './screens/devnet.tsx'
import { HashScreen } from './screens/hash.tsx'
import { Overview } from './screens/overview.tsx'
import { Peers } from './screens/peers.tsx'
import { Search } from './screens/search.tsx'
import { Send } from './screens/send.tsx'
import { TransactionScreen } from './screens/transaction.tsx'
import { Validators } from './screens/validators.tsx'
import { Verify } from './screens/verify.tsx'

/** The screens by their name in the address. */
const SCREENS: Readonly<Record<string, ComponentType>> = {
  '': Overview,
  blocks: Blocks,
  block: BlockScreen,
  tx: TransactionScreen,
  hash: HashScreen,
  search: Search,
  validators: Validators,
  consensus: Consensus,
  peers: Peers,
  chain: Chain,
  send: Send,
  verify: Verify,
  devnet: Devnet,
}

/**
 * Returns the screen with this name; `undefined` if no screen has the name. A link may contain any name, even the name
 * of a member that every object inherits, such as `constructor`.
 */
export const screenOf = (name: string): ComponentType | undefined =>
  Object.hasOwn(SCREENS, name) ? SCREENS[name] : undefined

/** The entries of the menu. */
export const MENU: readonly (readonly [screen: string, name: string])[] = [
  ['', 'Overview'],
  ['blocks', 'Blocks'],
  ['search', 'Search'],
  ['validators', 'Validators'],
  ['consensus', 'Consensus'],
  ['peers', 'Peers'],
  ['chain', 'Chain and node'],
  ['send', 'Send and query'],
  ['verify', 'Verification'],
]

/** The entry of the menu that is shown only if the page may control the chain of its node. */
export const DEVNET_ENTRY = ['devnet', 'Devnet'] as const
