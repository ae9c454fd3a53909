import { SCENARIOS } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import { answered, confirmed, openFreely, openScenario, scenario } from '../live/scenario.ts'

export function ScenarioList() {
  return (
    <nav class="panel scenarios" aria-label="Find it">
      <h2>Find it</h2>
      <ol>
        {SCENARIOS.map((each) => (
          <li key={each.id}>
            <button type="button" aria-current={scenario.value?.id === each.id} onClick={() => openScenario(each)}>
              {each.title}
            </button>
          </li>
        ))}
      </ol>
      <button type="button" class="free" aria-current={scenario.value === undefined} onClick={() => openFreely()}>
        A free network
      </button>
    </nav>
  )
}

function Claims({ claims }: Pick<Scenario, 'claims'>) {
  return (
    <ul class="claims" aria-label="Seen so far">
      {claims.map(({ text }, index) => {
        const isSeen = confirmed.value[index] === true
        return (
          <li key={text} class={isSeen ? 'seen' : ''}>
            <span aria-hidden="true">{isSeen ? '✓' : '○'}</span> {text}
            <span class="sr-only">{isSeen ? ': it happened' : ': it has not happened yet'}</span>
          </li>
        )
      })}
    </ul>
  )
}

function give(choice: number): void {
  answered.value = choice
}

function Question({ question, choices, answer }: Pick<Scenario, 'question' | 'choices' | 'answer'>) {
  const given = answered.value
  const isRight = given !== undefined && choices[given]?.isRight === true
  return (
    <div class="question">
      <h3>{question}</h3>
      <ul>
        {choices.map((choice, index) => (
          <li key={choice.text}>
            <button
              type="button"
              class={given === index ? (choice.isRight ? 'right' : 'wrong') : ''}
              aria-pressed={given === index}
              onClick={() => give(index)}
            >
              {choice.text}
            </button>
          </li>
        ))}
      </ul>
      <p class="answer" aria-live="polite">
        {given !== undefined && (
          <>
            <strong>{isRight ? 'Right.' : 'Not quite.'}</strong>{' '}
            {isRight ? answer : 'Watch it again, or try another answer.'}
          </>
        )}
      </p>
    </div>
  )
}

/** Shows the scenario: its text, its claims with a mark on each that has come true, and its question. */
export function ScenarioPanel() {
  const current = scenario.value
  if (current === undefined) return null
  const { title, story, lookFor, claims, question, choices, answer, bug } = current
  return (
    <section class="panel scenario" aria-label="Scenario">
      <h2>{title}</h2>
      {story.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p>
        <strong>Look for:</strong> {lookFor}
      </p>
      {bug !== undefined && (
        <p class="bad">The nodes of this page have a planted bug ({bug}). The nodes of Halley do not have it.</p>
      )}
      <Claims claims={claims} />
      <Question question={question} choices={choices} answer={answer} />
    </section>
  )
}
