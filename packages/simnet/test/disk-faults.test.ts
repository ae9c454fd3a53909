import { describe, expect, test } from 'vitest'
import { type Fault, runScenario } from '../src/index.ts'

type DiskFault = Extract<Fault, { kind: 'fullDisk' | 'readOnlyDisk' | 'failSync' }>

const FAULTS: readonly (readonly [name: string, fault: DiskFault])[] = [
  ['a full disk', { kind: 'fullDisk', at: 2000, node: 0, forMs: 3000 }],
  ['a disk that is read only', { kind: 'readOnlyDisk', at: 2000, node: 0, forMs: 3000 }],
  ['a sync that fails', { kind: 'failSync', at: 2000, node: 0 }],
]

describe.each([1, 4])('the first of %i validators has a bad disk', (validators) => {
  test.each(FAULTS)('error: %s stops the node with a code, and it continues when there is room', async (_, fault) => {
    const halts: string[] = []
    for (const seed of [1, 2, 3]) {
      const { violations, restarts, heights } = await runScenario(
        { seed, network: { validators, txEveryMs: 50, extensionsFrom: 2 }, faults: [fault], byzantine: [] },
        {
          onNetwork: ({ nodes, scheduler }) => {
            const look = (): void => {
              const failure = nodes[0]?.failure() as { code?: string } | undefined
              if (failure !== undefined) halts.push(String(failure.code))
              scheduler.after(50, look)
            }
            look()
          },
        },
      )
      expect(violations).toEqual([])
      expect(restarts).toBeGreaterThan(0)
      expect(heights).toBeGreaterThan(6)
    }
    expect(halts.length).toBeGreaterThan(0)
    for (const code of halts) expect(code).toMatch(/^(CONSENSUS|STORE|PRIVVAL|WAL|EVIDENCE)_/)
  })
})
