import { renderMermaidSVG } from 'beautiful-mermaid'

/**
 * Replaces each dotted arrow `a -. label .-> b`, which leads from the node `a` back to an earlier node `b`. The other
 * arrows lead down from `b` to `a`. But the layout places the end of an arrow below its start, so the dotted arrow
 * would put `b` below `a`. Therefore the new arrow does not begin at `a`: it leads to `b` from a new node with the text
 * `a label`.
 */
function withoutCycles(source: string): string {
  let count = 0
  const lines = source.split('\n').map((line) => {
    const [, from, label, to] = /^ *([\w-]+) -\. ([^.]+) \.-> ([\w-]+)$/.exec(line) ?? []
    if (from === undefined) return line
    count++
    return `  earlier${count}[${from} ${label}] -.-> ${to}`
  })
  return lines.join('\n')
}

/**
 * Draws a Mermaid diagram with the fonts of the reader's machine. The renderer itself would load a font from another
 * host.
 */
export function drawDiagram(source: string): string {
  const svg = renderMermaidSVG(withoutCycles(source), { bg: '#ffffff', fg: '#27272a', font: 'sans-serif', padding: 16 })
  const lines = svg.split('\n').filter((line) => !line.trim().startsWith('@import'))
  return lines.join('\n')
}

interface Token {
  readonly info: string
  readonly content: string
}

type Fence = (tokens: readonly Token[], index: number, ...rest: unknown[]) => string

/** The part of markdown-it's parser that the plugin uses. */
interface Parser {
  readonly renderer: { readonly rules: { fence?: unknown } }
}

/** Returns the names of the boxes in a diagram, as a text for people who cannot see the picture. */
function namesOf(source: string): string {
  const labels = [...source.matchAll(/\[([^[\]"<>&]+)\]/g)].map(([, label = '']) => label.replace(/[()]/g, ''))
  return `A diagram of: ${labels.join('; ')}`
}

/** A plugin of markdown-it that shows Mermaid blocks as pictures. */
export function drawnDiagrams(parser: Parser): void {
  const { rules } = parser.renderer
  const fence = rules.fence as Fence
  const drawn: Fence = (tokens, index, ...rest) => {
    const token = tokens[index]
    if (token?.info.trim() !== 'mermaid') return fence(tokens, index, ...rest)
    const address = `data:image/svg+xml;base64,${Buffer.from(drawDiagram(token.content)).toString('base64')}`
    return `<img src="${address}" alt="${namesOf(token.content)}" class="diagram">\n`
  }
  rules.fence = drawn
}
