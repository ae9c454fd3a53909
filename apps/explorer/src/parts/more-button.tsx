import { numberText } from '../format/numbers.ts'

interface MoreProps {
  /** The plural noun for the entries of the list, such as `events`. It is part of the button's text. */
  readonly name: string
  readonly shown: number
  readonly total: number
  readonly step: number
  readonly onMore: (shown: number) => void
}

/** Shows a button for the next entries of a long list. Shows no button at the end of the list. */
export function MoreButton({ name, shown, total, step, onMore }: MoreProps) {
  if (shown >= total) return null
  return (
    <button type="button" class="more" onClick={() => onMore(shown + step)}>
      Show {numberText(Math.min(step, total - shown))} more of {numberText(total)} {name}
    </button>
  )
}
