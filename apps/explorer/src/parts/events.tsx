import type { Event } from '@org/types/abci'
import { useState } from 'preact/hooks'
import { brief } from '../format/bytes.ts'
import { LongText } from './long-text.tsx'
import { MoreButton } from './more-button.tsx'

type ShownEvent = Pick<Event, 'type' | 'attributes'>
type Attribute = ShownEvent['attributes'][number]

/** The number of events that are shown at first. */
const FIRST = 20
/** The number of events that each click on the button adds. */
const STEP = 100
/** The number of attributes of an event that are shown at first. */
const FIRST_ATTRIBUTES = 30
/** The number of characters of a value that are shown at first. */
const MAX_VALUE = 400

function Value({ value }: { readonly value: string }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <LongText text={value} label="The value of the attribute" />
  return (
    <>
      {brief(value, MAX_VALUE)}
      {value.length > MAX_VALUE ? (
        <button type="button" class="more" onClick={() => setOpen(true)}>
          Show more
        </button>
      ) : null}
    </>
  )
}

function AttributeRow({ attribute: { key, value, index } }: { readonly attribute: Attribute }) {
  return (
    <div>
      <dt>
        {brief(key, MAX_VALUE)}
        {index ? (
          <span class="tag" title="The search finds this attribute">
            indexed
          </span>
        ) : null}
      </dt>
      <dd>
        <Value value={value} />
      </dd>
    </div>
  )
}

function EventItem({ event: { type, attributes } }: { readonly event: ShownEvent }) {
  const [shown, setShown] = useState(FIRST_ATTRIBUTES)
  return (
    <div class="event">
      <h3>{brief(type, MAX_VALUE)}</h3>
      <dl>
        {attributes.slice(0, shown).map((attribute, i) => (
          <AttributeRow key={i} attribute={attribute} />
        ))}
      </dl>
      <MoreButton name="attributes" shown={shown} total={attributes.length} step={STEP} onMore={setShown} />
    </div>
  )
}

/** Shows the events of a transaction or a block. */
export function Events({ events }: { readonly events: readonly ShownEvent[] }) {
  const [shown, setShown] = useState(FIRST)
  if (events.length === 0) return <p class="dim">No events.</p>
  return (
    <div class="events">
      {events.slice(0, shown).map((event, i) => (
        <EventItem key={i} event={event} />
      ))}
      <MoreButton name="events" shown={shown} total={events.length} step={STEP} onMore={setShown} />
    </div>
  )
}
