import { expect, test } from 'vitest'
import { type LightJob, lightJobs, runLightAttack } from '../src/light-attacks.ts'

test.each(lightJobs())('behavior: $name has its outcome without a violation', async (job) => {
  expect(await runLightAttack(job)).toEqual([])
})

test('error: another outcome is a violation', async () => {
  const job = lightJobs()[0] as LightJob
  const found = await runLightAttack({ ...job, expected: 'refused' })
  expect(found).toEqual([{ rule: 'light', detail: 'the attack was detected, and not refused', atMs: 0 }])
})
