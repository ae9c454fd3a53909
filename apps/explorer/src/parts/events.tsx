import type { Event } from '@org/types/abci'
import { useState } from 'preact/hooks'
import { visible } from '../format/bytes.ts'

type ShownEvent = Pick<Event, 'type' | 'attributes'>

/** Events that are shown at first, and characters of a value. */
const FIRST = 20
const MAX_VALUE = 400

const cut = (text: string): string => visible(text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text)

/** The events of a transaction or a block. */
export function Events({ events }: { readonly events: readonly ShownEvent[] }) {
  const [isWhole, setWhole] = useState(false)
  if (events.length === 0) return <p class="dim">No events.</p>
  const shown = isWhole ? events : events.slice(0, FIRST)
  return (
    <div class="events">
      {shown.map(({ type, attributes }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events of a block never change
        <div class="event" key={i}>
          <h3>{cut(type)}</h3>
          <dl>
            {attributes.slice(0, 100).map(({ key, value, index }, j) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: attributes of an event never change
              <div key={j}>
                <dt>
                  {cut(key)}
                  {index ? (
                    <span class="tag" title="This attribute can be searched">
                      indexed
                    </span>
                  ) : null}
                </dt>
                <dd>{cut(value)}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
      {shown.length < events.length ? (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {events.length} events
        </button>
      ) : null}
    </div>
  )
}
