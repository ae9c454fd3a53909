import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test("default: without Node's globals all entries load and a commit verifies", async () => {
  const script = fileURLToPath(new URL('run.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=browser', script])
  expect(stdout).toContain('{"type":"tendermint/event/RoundState"')
}, 30_000)
