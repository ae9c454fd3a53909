import type { ComponentType } from 'preact'
import { BlockScreen } from './screens/block.tsx'
import { Blocks } from './screens/blocks.tsx'
import { HashScreen } from './screens/hash.tsx'
import { Overview } from './screens/overview.tsx'
import { TransactionScreen } from './screens/transaction.tsx'
import { Validators } from './screens/validators.tsx'

/** The screens by the first part of the address. */
export const SCREENS: Readonly<Record<string, ComponentType>> = {
  '': Overview,
  blocks: Blocks,
  block: BlockScreen,
  tx: TransactionScreen,
  hash: HashScreen,
  validators: Validators,
}

/** The screens of the menu. */
export const MENU: readonly (readonly [screen: string, name: string])[] = [
  ['', 'Overview'],
  ['blocks', 'Blocks'],
  ['validators', 'Validators'],
]
