import { theme } from '@org/ui/theme'
import { useEffect, useRef } from 'preact/hooks'
import { linkName } from '../../session/conditions.ts'
import { chosenNode, hidden, hoveredLink } from '../live/choice.ts'
import { act, conditions, flights, run, views } from '../live/run.ts'
import { type Colours, readColours } from './colours.ts'
import { drawNodes } from './draw-nodes.ts'
import { drawFlights, drawLinks } from './draw-wires.ts'
import { type Layout, layoutOf, linkAt, type Point } from './layout.ts'
import { NodeButton } from './node-button.tsx'

/** The distance within which a click counts as a click on a link, as a share of the side of the picture. */
const LINK_REACH = 0.016

/** Draws the picture in every frame of the browser. Returns a function that ends the drawing. */
function animate(canvas: HTMLCanvasElement): () => void {
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  let colours: Colours | undefined
  let layout: Layout = layoutOf(0)
  let frame = 0
  const forgetColours = (): void => {
    colours = undefined
  }
  const media = matchMedia('(prefers-color-scheme: dark)')
  media.addEventListener('change', forgetColours)
  const forgetTheme = theme.subscribe(forgetColours)

  function draw(): void {
    frame = requestAnimationFrame(draw)
    const size = canvas.clientWidth
    const scale = devicePixelRatio
    if (canvas.width !== Math.round(size * scale)) {
      canvas.width = Math.round(size * scale)
      canvas.height = canvas.width
    }
    colours ??= readColours(document.body)
    const nodes = run.peek()?.setup.validators ?? 0
    if (layout.places.length !== nodes) layout = layoutOf(nodes)
    context.setTransform(scale, 0, 0, scale, 0, 0)
    context.clearRect(0, 0, size, size)
    const scene = { layout, size }
    drawLinks(context, colours, { ...scene, conditions: conditions.peek(), hovered: hoveredLink.peek() })
    drawFlights(context, colours, {
      ...scene,
      flights: flights.all(),
      hidden: hidden.peek(),
      clock: flights.now(),
    })
    drawNodes(context, colours, {
      ...scene,
      views: views.peek(),
      conditions: conditions.peek(),
      chosen: chosenNode.peek(),
    })
  }
  frame = requestAnimationFrame(draw)
  return () => {
    cancelAnimationFrame(frame)
    media.removeEventListener('change', forgetColours)
    forgetTheme()
  }
}

function pointOf(event: MouseEvent, element: Element): Point {
  const box = element.getBoundingClientRect()
  return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height }
}

/** Cuts a link, or mends it if it is cut. */
export function toggleLink(link: readonly [number, number]): void {
  const isCut = conditions.value.cut.includes(linkName(link))
  act({ kind: isCut ? 'mend' : 'cut', link })
}

/** Shows the picture of the network: nodes in a circle, links, and the messages on the links. */
export function Stage() {
  const canvas = useRef<HTMLCanvasElement>(null)
  const nodes = run.value?.setup.validators ?? 0
  const layout = layoutOf(nodes)
  useEffect(() => (canvas.current === null ? undefined : animate(canvas.current)), [])

  const hover = (event: MouseEvent): void => {
    hoveredLink.value = linkAt(layout, pointOf(event, event.currentTarget as Element), LINK_REACH)
  }
  const click = (event: MouseEvent): void => {
    const link = linkAt(layout, pointOf(event, event.currentTarget as Element), LINK_REACH)
    if (link === undefined) chosenNode.value = undefined
    else toggleLink(link)
  }

  return (
    <div class="stage">
      <canvas
        ref={canvas}
        class={hoveredLink.value === undefined ? '' : 'on-link'}
        role="img"
        aria-label="The network: validators in a circle, and the messages between them"
        onMouseMove={hover}
        onMouseLeave={() => {
          hoveredLink.value = undefined
        }}
        onClick={click}
      />
      <fieldset class="nodes" aria-label="Validators">
        {layout.places.map((place, node) => (
          <NodeButton key={node} node={node} place={place} radius={layout.radius} />
        ))}
      </fieldset>
      <LinkHint />
    </div>
  )
}

/** Shows what a click on the link under the pointer does. */
function LinkHint() {
  const link = hoveredLink.value
  if (link === undefined) return null
  const isCut = conditions.value.cut.includes(linkName(link))
  return (
    <p class="link-hint">
      {isCut ? 'Mend' : 'Cut'} the link n{link[0]} – n{link[1]}
    </p>
  )
}
