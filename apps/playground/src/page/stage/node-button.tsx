import { chosenNode } from '../live/choice.ts'
import { conditions, views } from '../live/run.ts'
import { stateOf } from '../words.ts'
import type { Point } from './layout.ts'

/** A button on top of the picture of a node, for pointers, keyboards and screen readers. */
export function NodeButton({
  node,
  place,
  radius,
}: {
  readonly node: number
  readonly place: Point
  readonly radius: number
}) {
  const view = views.value[node]
  const percent = (share: number): string => `${(share * 100).toFixed(3)}%`
  const state = view === undefined ? 'not started' : stateOf(view, conditions.value.lies.has(node))
  return (
    <button
      type="button"
      class="node"
      style={{
        left: percent(place.x - radius),
        top: percent(place.y - radius),
        width: percent(2 * radius),
        height: percent(2 * radius),
      }}
      aria-label={`n${node}: ${state}`}
      aria-pressed={chosenNode.value === node}
      onClick={() => {
        chosenNode.value = chosenNode.value === node ? undefined : node
      }}
    />
  )
}
