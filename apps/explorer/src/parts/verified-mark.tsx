import { numberText } from '../format/numbers.ts'
import { useAnswer } from '../live/use-answer.ts'
import { linkTo } from '../route.ts'
import { verification } from '../verify/verification.ts'
import type { Verifier } from '../verify/verifier.ts'
import { messageOf } from './problem.tsx'

interface MarkProps {
  /** The name of the checked value. If the name changes, another value is checked, and the check begins again. */
  readonly name: string
  /** The text that says what the check proves. */
  readonly proves: string
  readonly check: (verifier: Verifier) => Promise<void>
  /** The component that shows the mark changes this number to repeat `check` for the same value. */
  readonly refresh?: number
}

function Checked({ name, proves, check, verifier, refresh }: MarkProps & { readonly verifier: Verifier }) {
  const { value, error, isLoading } = useAnswer(`verify ${name}`, () => check(verifier).then(() => true), refresh)
  if (isLoading) return <span class="mark checking">checking …</span>
  if (value === true)
    return (
      <span class="mark verified" title={`Checked by the light client of this page: ${proves}`}>
        ✓ verified
      </span>
    )
  return (
    <span class="mark refused" title={messageOf(error)}>
      ✗ not proved: {messageOf(error).slice(0, 200)}
    </span>
  )
}

/**
 * Shows whether the light client of this page has proved a value. If the light client does not run, shows a link to
 * its screen.
 */
export function VerifiedMark(props: MarkProps) {
  const now = verification.value
  if (now.state === 'on') return <Checked {...props} verifier={now.verifier} />
  const text = { off: 'not verified', starting: 'light client starts …', failed: 'verification failed' }[now.state]
  return (
    <a class="mark" href={linkTo('verify')} title="Check what this node sends with a light client in this page">
      {text}
    </a>
  )
}

/** Returns the text that says what the check of a block proves. */
export const blockProves = (height: number): string =>
  `header, transactions, evidence and last commit of block ${numberText(height)}`
