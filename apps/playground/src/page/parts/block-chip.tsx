import { theme } from '@org/ui/theme'
import { blockColour } from '../stage/colours.ts'

function isDark(): boolean {
  return theme.value === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme.value === 'dark'
}

/** Shows the name of a block with its colour. */
export function BlockChip({ block }: { readonly block: string }) {
  return (
    <span class="block-chip">
      <i aria-hidden="true" style={{ background: blockColour(block, isDark()) }} />
      {block}
    </span>
  )
}
