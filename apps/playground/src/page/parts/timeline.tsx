import { theme } from '@org/ui/theme'
import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { goTo, networkEvents, now } from '../live/run.ts'
import { type Colours, readColours } from '../stage/colours.ts'
import { timeText } from '../words.ts'

/** The minimum time that the time line shows, in virtual milliseconds. */
const SHORTEST_MS = 6000

const spanOf = (): number => Math.max(SHORTEST_MS, now.value * 1.08)

function draw(canvas: HTMLCanvasElement, colours: Colours): void {
  const [width, height] = [canvas.clientWidth, canvas.clientHeight]
  canvas.width = width * devicePixelRatio
  canvas.height = height * devicePixelRatio
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.scale(devicePixelRatio, devicePixelRatio)
  const span = spanOf()
  const x = (at: number): number => (at / span) * width
  const mark = (
    at: number,
    colour: string,
    [from, to, thick]: readonly [from: number, to: number, thick: number],
  ): void => {
    context.fillStyle = colour
    context.fillRect(x(at) - thick / 2, from * height, thick, (to - from) * height)
  }
  context.font = '10px system-ui, sans-serif'
  context.textBaseline = 'top'
  let free = 0
  for (const each of networkEvents.value) {
    if (each.what === 'round') {
      mark(each.at, each.round === 0 ? colours.line : colours.warn, [0, 1, each.round === 0 ? 1 : 2])
      const left = x(each.at) + 3
      if (each.round !== 0 || left < free) continue
      context.fillStyle = colours.dim
      context.fillText(String(each.height), left, 1)
      free = left + 18
    }
    if (each.what === 'decide') mark(each.at, colours.good, [0.45, 0.72, 1.5])
    if (each.what === 'lock') mark(each.at, colours.kinds.prevote, [0.72, 0.9, 1.5])
    if (each.what === 'action') mark(each.at, colours.accent, [0.3, 1, 2.5])
    if (each.what === 'violation') mark(each.at, colours.bad, [0, 1, 3])
  }
  mark(now.value, colours.text, [0, 1, 2])
}

/**
 * Draws the run as a line: heights, rounds, locks, decisions, actions and broken invariants. A click shows the run at
 * that moment.
 */
export function Timeline() {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let colours: Colours | undefined
    let lastTheme = theme.value
    return effect(() => {
      if (lastTheme !== theme.value) colours = undefined
      lastTheme = theme.value
      colours ??= readColours(document.body)
      if (canvas.current !== null && now.value >= 0) draw(canvas.current, colours)
    })
  }, [])
  return (
    <div class="timeline">
      <canvas
        ref={canvas}
        role="img"
        aria-label="The run so far"
        title="Go to a moment"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          goTo(((event.clientX - box.left) / box.width) * spanOf())
        }}
      />
      <p class="sr-only" aria-live="off">
        Time {timeText(now.value)}
      </p>
    </div>
  )
}
