export interface Point {
  readonly x: number
  readonly y: number
}

/** The places of the nodes on a square whose side is 1, and the radius of the nodes. */
export interface Layout {
  readonly places: readonly Point[]
  readonly radius: number
}

const MAX_RADIUS = 0.08

/** Places nodes on a circle, the first one at the top. */
export function layoutOf(nodes: number): Layout {
  // The gap between two neighbours on the circle is at least a third of a node's diameter.
  const radius = Math.min(MAX_RADIUS, 0.82 / Math.max(nodes, 6))
  const far = 0.5 - radius * 1.75
  const places = Array.from({ length: nodes }, (_, node) => {
    const angle = (node / nodes) * 2 * Math.PI - Math.PI / 2
    return { x: 0.5 + far * Math.cos(angle), y: 0.5 + far * Math.sin(angle) }
  })
  return { places, radius }
}

/** Returns the distance of a point from the segment between `from` and `to`. */
function distanceToSegment(point: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const along = ((point.x - from.x) * dx + (point.y - from.y) * dy) / (dx * dx + dy * dy)
  const t = Math.min(1, Math.max(0, along))
  return Math.hypot(point.x - from.x - t * dx, point.y - from.y - t * dy)
}

/** Returns the link that is nearest to a point; `undefined` if no link is nearer than `within`. */
export function linkAt({ places }: Layout, point: Point, within: number): readonly [number, number] | undefined {
  let best: readonly [number, number] | undefined
  let nearest = within
  for (const [one, from] of places.entries()) {
    for (const [other, to] of places.entries()) {
      if (other <= one) continue
      const distance = distanceToSegment(point, from, to)
      if (distance >= nearest) continue
      nearest = distance
      best = [one, other]
    }
  }
  return best
}
