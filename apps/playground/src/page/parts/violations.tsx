import { RULES } from '../../session/describe.ts'
import { violations } from '../live/run.ts'
import { timeText } from '../words.ts'

const MAX_SHOWN = 3

/** Shows the invariants that the run has broken, each with an explanation. The page calls an invariant a rule. */
export function Violations() {
  const found = violations.value
  if (found.length === 0) return null
  return (
    <section class="violations" role="alert" aria-label="Broken rules">
      {found.slice(0, MAX_SHOWN).map(({ at, rule, detail }) => (
        <p key={`${at} ${detail}`}>
          <strong>
            {timeText(at)}: the rule “{rule}” is broken.
          </strong>{' '}
          {RULES[rule] ?? ''} <span class="detail">{detail}</span>
        </p>
      ))}
      {found.length > MAX_SHOWN && <p>{found.length - MAX_SHOWN} more</p>}
    </section>
  )
}
