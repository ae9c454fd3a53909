import type { Conditions } from '../../session/conditions.ts'
import type { NodeView, Tally } from '../../session/view.ts'
import { blockColour, type Colours } from './colours.ts'
import type { Layout, Point } from './layout.ts'

/** The data about the nodes from which the picture is drawn. */
export interface NodesScene {
  readonly views: readonly NodeView[]
  readonly conditions: Conditions
  readonly chosen: number | undefined
}

interface Pen {
  readonly context: CanvasRenderingContext2D
  readonly colours: Colours
  /** The radius of a node in pixels. */
  readonly radius: number
  /** The centre of the node in the picture, in pixels. */
  readonly centre: Point
}

const STEPS = ['', 'new height', 'new round', 'propose', 'prevote', 'prevote', 'precommit', 'precommit', 'commit']
/**
 * The smallest radius of a node, in pixels, at which the name of the step is drawn. In a smaller node, the text would
 * be too small to read.
 */
const SMALLEST_WITH_STEP = 38
/** The smallest radius of a node, in pixels, at which the height and the round are drawn. */
const SMALLEST_WITH_PLACE = 24
/** The minimum radius of the circle of a node, in pixels, at which its label is `n3` and not only `3`. */
const SMALLEST_WITH_LETTER = 14
/** The minimum size of the label of a small node, in pixels. */
const MIN_FONT = 9
const TOP = -Math.PI / 2
const TWO_THIRDS = 2 / 3

function circle({ context }: Pen, { x, y }: Point, radius: number): void {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
}

/**
 * Draws an arc around a node: the votes that it has received, as a share of the whole power, with a mark at two
 * thirds.
 */
function drawTally(pen: Pen, tally: Tally, ring: { readonly radius: number; readonly colour: string }): void {
  const { context, colours, centre } = pen
  const arc = (from: number, to: number, colour: string): void => {
    if (to <= from) return
    context.beginPath()
    context.arc(centre.x, centre.y, ring.radius, TOP + from * 2 * Math.PI, TOP + to * 2 * Math.PI)
    context.strokeStyle = colour
    context.stroke()
  }
  context.lineWidth = Math.max(2, pen.radius * 0.09)
  arc(0, 1, colours.line)
  const forBlock = tally.block === '' ? 0 : tally.largest
  arc(forBlock, tally.voted, colours.nil)
  arc(0, forBlock, ring.colour)
  const end = TOP + TWO_THIRDS * 2 * Math.PI
  const [inner, outer] = [ring.radius - context.lineWidth * 0.9, ring.radius + context.lineWidth * 0.9]
  context.beginPath()
  context.moveTo(centre.x + inner * Math.cos(end), centre.y + inner * Math.sin(end))
  context.lineTo(centre.x + outer * Math.cos(end), centre.y + outer * Math.sin(end))
  context.lineWidth = 1.5
  context.strokeStyle = colours.text
  context.stroke()
}

/**
 * Draws the two votes that a node has cast: a mark for its prevote and a mark for its precommit, in the block's
 * colour.
 */
function drawOwnVotes(pen: Pen, { prevotes, precommits }: NodeView): void {
  const { context, colours, radius } = pen
  const { x, y } = pen.centre
  const size = Math.max(2.2, radius * 0.13)
  for (const [place, { ownVote }] of [prevotes, precommits].entries()) {
    const centre = { x: x + (place === 0 ? -1 : 1) * size * 1.7, y: y + radius * 0.62 }
    circle(pen, centre, size)
    context.lineWidth = 1.4
    context.strokeStyle =
      ownVote === undefined ? colours.line : ownVote === '' ? colours.warn : blockColour(ownVote, colours.isDark)
    if (ownVote !== undefined && ownVote !== '') {
      context.fillStyle = context.strokeStyle
      context.fill()
    }
    context.stroke()
  }
}

function drawLock(pen: Pen, block: string): void {
  const { context, colours, radius } = pen
  const { x, y } = pen.centre
  const size = Math.max(5, radius * 0.3)
  const at = { x: x + radius * 0.88, y: y - radius * 0.88 }
  circle(pen, at, size * 1.15)
  context.fillStyle = colours.panel
  context.fill()
  context.strokeStyle = blockColour(block, colours.isDark)
  context.fillStyle = context.strokeStyle
  context.lineWidth = size * 0.24
  context.beginPath()
  context.arc(at.x, at.y - size * 0.1, size * 0.38, Math.PI, 2 * Math.PI)
  context.stroke()
  context.fillRect(at.x - size * 0.58, at.y - size * 0.12, size * 1.16, size * 0.86)
}

function drawBadge(pen: Pen, badge: { readonly text: string; readonly colour: string }): void {
  const { context, colours, radius } = pen
  const { x, y } = pen.centre
  const size = Math.max(6, radius * 0.32)
  const at = { x: x - radius * 0.88, y: y - radius * 0.88 }
  circle(pen, at, size)
  context.fillStyle = badge.colour
  context.fill()
  context.fillStyle = colours.panel
  context.font = `700 ${Math.round(size * 1.25)}px system-ui, sans-serif`
  context.fillText(badge.text, at.x, at.y + size * 0.06)
}

/**
 * Draws the label of a small node, such as `n3`. The label of a very small node is only `3`, so that it can be larger.
 */
function drawIndex({ context, radius, centre }: Pen, index: number): void {
  const hasLetter = radius >= SMALLEST_WITH_LETTER
  const font = Math.max(MIN_FONT, Math.round(radius * (hasLetter ? 0.62 : 0.8)))
  context.font = `650 ${font}px system-ui, sans-serif`
  context.fillText(hasLetter ? `n${index}` : String(index), centre.x, centre.y - radius * 0.06)
}

/**
 * Draws the name of a node, its height and round, and its step. Leaves out the texts that would be too small to read.
 */
function drawWords(pen: Pen, view: NodeView, index: number): void {
  const { context, colours, radius, centre } = pen
  const { x, y } = centre
  context.fillStyle = colours.text
  if (radius < SMALLEST_WITH_PLACE) {
    drawIndex(pen, index)
    return
  }
  const hasStep = radius >= SMALLEST_WITH_STEP
  const isUp = view.status === 'running'
  context.font = `650 ${Math.round(radius * (hasStep ? 0.36 : 0.44))}px system-ui, sans-serif`
  context.fillText(`n${index}`, x, y - radius * (hasStep ? 0.4 : 0.32))
  context.font = `500 ${Math.round(radius * (hasStep ? 0.29 : 0.37))}px ui-monospace, monospace`
  context.fillText(isUp ? `H${view.height} R${view.round}` : '–', x, y + radius * (hasStep ? -0.02 : 0.14))
  if (!hasStep) return
  context.fillStyle = colours.dim
  context.font = `${Math.round(radius * 0.235)}px system-ui, sans-serif`
  context.fillText(
    isUp ? (STEPS[view.step] ?? '') : view.status === 'halted' ? 'stopped' : view.status,
    x,
    y + radius * 0.3,
  )
}

function drawNode(pen: Pen, index: number, { views, conditions, chosen }: NodesScene): void {
  const { context, colours, radius, centre } = pen
  const view = views[index] as NodeView
  const isUp = view.status === 'running' || view.status === 'starting'
  const isByzantine = conditions.lies.has(index)
  context.globalAlpha = isUp && !view.isFrozen ? 1 : 0.55
  if (view.isProposer && isUp) {
    circle(pen, centre, radius * 1.52)
    context.fillStyle = colours.accent
    context.globalAlpha *= 0.16
    context.fill()
    context.globalAlpha = view.isFrozen ? 0.55 : 1
  }
  circle(pen, centre, radius)
  context.fillStyle = colours.panel
  context.fill()
  context.setLineDash(isUp ? [] : [4, 4])
  context.lineWidth = index === chosen ? 3 : 1.5
  context.strokeStyle =
    isByzantine || view.status === 'halted' ? colours.bad : index === chosen ? colours.accent : colours.dim
  context.stroke()
  context.setLineDash([])
  if (isUp) {
    drawTally(pen, view.prevotes, { radius: radius * 1.17, colour: colours.kinds.prevote })
    drawTally(pen, view.precommits, { radius: radius * 1.36, colour: colours.kinds.precommit })
    drawOwnVotes(pen, view)
  }
  drawWords(pen, view, index)
  if (view.locked !== undefined) drawLock(pen, view.locked.block)
  if (view.isFrozen) drawBadge(pen, { text: 'Ⅱ', colour: colours.accent })
  else if (isByzantine) drawBadge(pen, { text: '!', colour: colours.bad })
  else if (view.status === 'down' || view.status === 'halted') drawBadge(pen, { text: '×', colour: colours.dim })
  else if (conditions.slow.has(index)) drawBadge(pen, { text: '~', colour: colours.warn })
  context.globalAlpha = 1
}

/** Draws all nodes. `size` is the side of the picture in pixels. */
export function drawNodes(
  context: CanvasRenderingContext2D,
  colours: Colours,
  scene: NodesScene & { readonly layout: Layout; readonly size: number },
): void {
  const { layout, size } = scene
  const radius = layout.radius * size
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (const [index, { x, y }] of layout.places.entries())
    if (scene.views[index] !== undefined)
      drawNode({ context, colours, radius, centre: { x: x * size, y: y * size } }, index, scene)
}
