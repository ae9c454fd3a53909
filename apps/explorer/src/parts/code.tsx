interface CodeProps {
  /** The code of the application's answer. 0 means success. */
  readonly code: number
  /** The word that is shown after the code 0. */
  readonly good: string
  /** The text that is shown after a code that is not 0. */
  readonly bad?: string
}

/** Shows the code of an answer. The colour shows whether the code means success. */
export function Code({ code, good, bad = '' }: CodeProps) {
  if (code === 0) return <span class="good">0 ({good})</span>
  return (
    <span class="bad">
      {code}
      {bad === '' ? '' : ` ${bad}`}
    </span>
  )
}
