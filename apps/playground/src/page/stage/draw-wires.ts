import type { Conditions } from '../../session/conditions.ts'
import type { Flight } from '../../session/in-flight-messages.ts'
import type { WireKind } from '../../session/wire-kind.ts'
import type { Colours } from './colours.ts'
import type { Layout, Point } from './layout.ts'

interface Scene {
  readonly layout: Layout
  readonly size: number
}

/** If there are more nodes than this number, the links are drawn fainter. */
const MANY = 12

/** Draws the links between all nodes. A cut link is red, with a gap. */
export function drawLinks(
  context: CanvasRenderingContext2D,
  colours: Colours,
  {
    layout,
    size,
    conditions,
    hovered,
  }: Scene & { readonly conditions: Conditions; readonly hovered: readonly [number, number] | undefined },
): void {
  const { places } = layout
  const cut = new Set(conditions.cut)
  const at = (node: number): Point => {
    const { x, y } = places[node] as Point
    return { x: x * size, y: y * size }
  }
  const line = (one: number, other: number): void => {
    const [from, to] = [at(one), at(other)]
    context.moveTo(from.x, from.y)
    context.lineTo(to.x, to.y)
  }
  context.lineWidth = 1
  context.strokeStyle = colours.line
  context.globalAlpha = places.length > MANY ? Math.max(0.28, MANY / places.length) : 1
  context.beginPath()
  for (let one = 0; one < places.length; one++)
    for (let other = one + 1; other < places.length; other++) if (!cut.has(`${one}-${other}`)) line(one, other)
  context.stroke()
  context.globalAlpha = 1
  context.strokeStyle = colours.bad
  context.setLineDash([3, 7])
  context.lineWidth = 1.5
  context.beginPath()
  for (const name of cut) {
    const [one = 0, other = 0] = name.split('-').map(Number)
    line(one, other)
  }
  context.stroke()
  context.setLineDash([])
  if (hovered === undefined) return
  context.strokeStyle = colours.accent
  context.lineWidth = 3
  context.beginPath()
  line(hovered[0], hovered[1])
  context.stroke()
}

/** The size of each kind of message in the picture, relative to a vote. */
const SIZES: Readonly<Record<WireKind, number>> = {
  proposal: 2.1,
  part: 1.5,
  prevote: 1,
  precommit: 1,
  transaction: 1,
  evidence: 1.7,
  block: 1.9,
  other: 0.5,
}

/**
 * If the receiver of a message is blocked or busy, the message stops shortly before the end of the link and waits. This
 * is the point at which it stops, as a share of the length of the link.
 */
const WAITING_PLACE = 0.985

/**
 * Returns the position of a message in the picture at the time `clock`. The two directions of a link are drawn side by
 * side.
 */
function pointOf(flight: Flight, clock: number, { layout, size }: Scene): Point | undefined {
  const [from, to] = [layout.places[flight.from], layout.places[flight.to]]
  if (from === undefined || to === undefined || clock < flight.leftAt) return undefined
  const share = Math.min(WAITING_PLACE, (clock - flight.leftAt) / (flight.arrivesAt - flight.leftAt))
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = Math.hypot(dx, dy)
  // The picture of the message moves from the edge of the sender's circle to the edge of the receiver's circle.
  const edge = layout.radius / length
  const t = edge + share * (1 - 2 * edge)
  const aside = 0.0055
  return { x: (from.x + t * dx - (dy / length) * aside) * size, y: (from.y + t * dy + (dx / length) * aside) * size }
}

interface Dots extends Scene {
  readonly flights: Iterable<Flight>
  readonly hidden: ReadonlySet<WireKind>
  readonly clock: number
}

/** Draws the messages at their places. A vote for no block is a ring; all other messages are filled. */
export function drawFlights(
  context: CanvasRenderingContext2D,
  colours: Colours,
  { flights, hidden, clock, ...scene }: Dots,
): void {
  const unit = Math.max(1.6, Math.min(3.6, (scene.layout.radius * scene.size) / 12))
  for (const flight of flights) {
    if (hidden.has(flight.kind)) continue
    const point = pointOf(flight, clock, scene)
    if (point === undefined) continue
    const radius = unit * SIZES[flight.kind]
    const isNil = (flight.kind === 'prevote' || flight.kind === 'precommit') && flight.block === ''
    context.beginPath()
    if (flight.kind === 'part' || flight.kind === 'block')
      context.rect(point.x - radius, point.y - radius, 2 * radius, 2 * radius)
    else context.arc(point.x, point.y, radius, 0, 2 * Math.PI)
    if (isNil) {
      context.strokeStyle = colours.kinds[flight.kind]
      context.lineWidth = Math.max(1.2, unit * 0.5)
      context.stroke()
    } else {
      context.fillStyle = colours.kinds[flight.kind]
      context.fill()
    }
  }
}
