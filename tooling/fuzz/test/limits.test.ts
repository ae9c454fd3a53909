import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DOORS } from '../src/cost/doors/index.ts'

const limits = readFileSync(new URL('../../../LIMITS.md', import.meta.url), 'utf8')

test('default: LIMITS.md states what each door costs at most', () => {
  for (const { name, where, costs } of DOORS) {
    const [ns, held] = [costs.nsPerByte.toLocaleString('en'), costs.heldPerByte.toLocaleString('en')]
    expect(limits).toContain(`| ${name} | \`${where}\` | ${ns} ns | ${held} B |`)
  }
})
