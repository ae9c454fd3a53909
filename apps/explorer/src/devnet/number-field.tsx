/** A short field for a number, with its label in the same line. The label may be only for screen readers. */
export function NumberField({
  label,
  isLabelHidden = false,
  text,
  onText,
}: {
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly text: string
  readonly onText: (text: string) => void
}) {
  return (
    <label class="inline">
      <span class={isLabelHidden ? 'hidden' : undefined}>{label}</span>
      <input class="short" inputMode="numeric" value={text} onInput={(event) => onText(event.currentTarget.value)} />
    </label>
  )
}
