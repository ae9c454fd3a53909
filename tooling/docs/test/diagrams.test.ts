import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawDiagram } from '../src/diagrams.ts'

const architecture = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')
const diagrams = [...architecture.matchAll(/```mermaid\n([\s\S]*?)```/g)].map(([, source = '']) => source)

test('default: each diagram of ARCHITECTURE.md is drawn, and refers to no other host', () => {
  expect(diagrams.length).toBeGreaterThan(3)
  for (const source of diagrams) {
    const svg = drawDiagram(source)
    expect(svg).toMatch(/^<svg /)
    expect(svg).not.toMatch(/https?:\/\/(?!www\.w3\.org)/)
    for (const [, label = ''] of source.matchAll(/\[\(?([^\]()]+)\)?\]/g)) expect(svg).toContain(label)
  }
})

test('behavior: a dotted arrow begins at a new node', () => {
  const svg = drawDiagram('flowchart TD\n  first --> second\n  second -. of the round before .-> first\n')
  expect(svg).toContain('second of the round before')
})
