import type { WireKind } from '../../session/wire-kind.ts'

/** The colours of the picture, as the style sheet defines them. */
export interface Colours {
  readonly text: string
  readonly dim: string
  readonly line: string
  readonly panel: string
  readonly accent: string
  readonly good: string
  readonly bad: string
  readonly warn: string
  readonly nil: string
  readonly kinds: Readonly<Record<WireKind, string>>
  readonly isDark: boolean
}

/** Reads the colours of the present theme from the style sheet. */
export function readColours(element: Element): Colours {
  const style = getComputedStyle(element)
  const probe = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
  // The style sheet uses `light-dark()`, which a canvas does not support. So each colour is set on an element, and the
  // browser computes the plain colour of the element.
  const swatch = document.createElement('i')
  element.append(swatch)
  const read = (name: string): string => {
    swatch.style.color = `var(--${name})`
    probe.fillStyle = getComputedStyle(swatch).color
    return probe.fillStyle
  }
  const kind = (name: WireKind): string => read(`kind-${name}`)
  const colours: Colours = {
    text: read('text'),
    dim: read('dim'),
    line: read('line'),
    panel: read('panel'),
    accent: read('accent'),
    good: read('good'),
    bad: read('bad'),
    warn: read('warn'),
    nil: read('other'),
    kinds: {
      proposal: kind('proposal'),
      part: kind('part'),
      prevote: kind('prevote'),
      precommit: kind('precommit'),
      transaction: kind('transaction'),
      evidence: kind('evidence'),
      block: kind('block'),
      other: kind('other'),
    },
    isDark: style.colorScheme.includes('dark') && matchesDark(element),
  }
  swatch.remove()
  return colours
}

function matchesDark(element: Element): boolean {
  const root = element.ownerDocument.documentElement
  const theme = root.dataset.theme
  if (theme === 'light' || theme === 'dark') return theme === 'dark'
  return matchMedia('(prefers-color-scheme: dark)').matches
}

/**
 * Returns the colour of a block. The hue comes from the hash, so that two blocks of one height have different
 * colours.
 */
export function blockColour(block: string, isDark: boolean): string {
  const hue = (Number.parseInt(block, 16) * 7) % 360
  return `hsl(${hue} ${isDark ? '70% 62%' : '62% 42%'})`
}
