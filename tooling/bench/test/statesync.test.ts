import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findSubjects, type Subject } from '../src/subject.ts'
import { STATESYNC_WORKLOADS } from '../src/workloads/index.ts'

const [halley] = findSubjects()

test.each(STATESYNC_WORKLOADS.map((workload) => [workload.name, workload] as const))(
  'default: the short form of "%s" measures a node that joins, its memory and its bytes',
  async (_name, workload) => {
    const parent = await mkdtemp(join(tmpdir(), 'statesync-'))
    const directory = join(parent, 'round')
    try {
      await mkdir(directory)
      const sizes = { heights: 120, stateMegabytes: 5 }
      const rows = await workload.run({ subject: halley as Subject, directory, smoke: true, sizes })
      for (const { metric, value } of rows) expect(value, metric).toBeGreaterThan(0)
      const received = rows.find(({ metric }) => metric.includes('received from peers'))
      // The node receives the state of 5 MiB, and less than 3 MiB of other data.
      expect(received?.value).toBeGreaterThan(5)
      expect(received?.value).toBeLessThan(8)
    } finally {
      await rm(parent, { recursive: true, force: true })
    }
  },
  120_000,
)
