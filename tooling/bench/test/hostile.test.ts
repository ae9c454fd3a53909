import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findSubjects, type Subject } from '../src/subject.ts'
import { HOSTILE_WORKLOADS } from '../src/workloads/index.ts'

const [halley] = findSubjects()

// The number after each attack is the number of rows in the attack's result. In the first attack, the node disconnects
// the attacker at once. The second attack is compared with a load of honest clients, so its result has two more rows
// than the result of the first attack.
test.each([
  ['messages-that-are-not-evidence', 7],
  ['valid-transactions-of-two-bytes', 9],
])(
  'default: the short form of the attack "%s" measures the blocks, the memory, the sent bytes, and the committed transactions of a load',
  async (name, count) => {
    const workload = HOSTILE_WORKLOADS.find((one) => one.name === name)
    expect(workload?.name).toBe(name)
    const directory = await mkdtemp(join(tmpdir(), 'hostile-'))
    try {
      const rows = (await workload?.run({ subject: halley as Subject, directory, smoke: true, sizes: {} })) ?? []
      expect(rows.length).toBe(count)
      for (const { metric, value } of rows) {
        expect(value, metric).not.toBeNaN()
        // Under an attack, the block interval may also be shorter than without the attack. So the values of the rows
        // with `longer by` may be negative.
        if (!metric.includes('longer by')) expect(value, metric).toBeGreaterThan(0)
      }
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  },
)
