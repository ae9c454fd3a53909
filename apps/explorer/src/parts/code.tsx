interface CodeProps {
  /** The code of the application's answer. 0 means success. */
  readonly code: number
  /** The word beside the code 0. */
  readonly good: string
  /** The text beside every other code. */
  readonly bad?: string
}

/** The code of an answer, in the colour of its meaning. */
export function Code({ code, good, bad = '' }: CodeProps) {
  if (code === 0) return <span class="good">0 ({good})</span>
  return (
    <span class="bad">
      {code}
      {bad === '' ? '' : ` ${bad}`}
    </span>
  )
}
