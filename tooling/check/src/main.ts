import { writeManifests } from './manifests.ts'
import { STEPS } from './steps.ts'

const root = new URL('../../../', import.meta.url).pathname

if (process.argv.includes('--write')) writeManifests(root)

let failed = 0
for (const step of STEPS) {
  const result = await step.run(root)
  const canary = await step.canary(root)
  const alive = !canary.ok
  console.log(`${result.ok && alive ? 'ok  ' : 'FAIL'}  ${step.name.padEnd(10)}${step.guards}`)
  if (!result.ok) console.log(result.output.replace(/^/gm, '      '))
  if (!alive)
    console.log(
      `      the check did not report the planted fault, so it would not find a real fault either\n${canary.output.replace(/^/gm, '      ')}`,
    )
  if (!result.ok || !alive) failed++
}
console.log(failed === 0 ? 'All checks passed.' : `${failed} of ${STEPS.length} checks failed.`)
process.exitCode = failed === 0 ? 0 : 1
