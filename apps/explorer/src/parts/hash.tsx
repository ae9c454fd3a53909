import { hexOf } from '../format/bytes.ts'
import { CopyButton } from './copy-button.tsx'

interface HashProps {
  readonly bytes: Uint8Array
  /** The name of the hash or address, such as `the hash of the block`. It follows `Copy` in the label of the button. */
  readonly name: string
  readonly link?: string | undefined
  /** True if all digits are shown; false if only the first and last digits are shown. */
  readonly isFull?: boolean
  /** True if `link` is the link of a table row that the user can select with the keyboard. */
  readonly isRow?: boolean
}

const HEAD = 8
const TAIL = 4

function shortened(hex: string): string {
  return hex.length <= HEAD + TAIL + 2 ? hex : `${hex.slice(0, HEAD)}…${hex.slice(-TAIL)}`
}

/**
 * Shows the first and last digits of a hash or an address, or all digits if `isFull` is true. A button copies all
 * digits.
 */
export function Hash({ bytes, name, link, isFull = false, isRow = false }: HashProps) {
  const hex = hexOf(bytes)
  if (hex === '') return <span class="dim">none</span>
  const text = isFull ? hex : shortened(hex)
  return (
    <span class={isFull ? 'hash full' : 'hash'} title={hex}>
      {link === undefined ? (
        <code>{text}</code>
      ) : (
        <a href={link} data-row={isRow || undefined}>
          {text}
        </a>
      )}
      <CopyButton text={hex} label={`Copy ${name}`} />
    </span>
  )
}
