import { parseArgs } from 'node:util'
import { writeManifests } from './manifests.ts'
import type { Step } from './step.ts'
import { STEPS } from './steps.ts'

const root = new URL('../../../', import.meta.url).pathname

const HELP = `Checks the whole repository. Each step also checks a planted fault, which it must report.

usage: pnpm check [options]

  --only a,b   runs only these steps
  --write      first writes the parts of the manifests that all packages share
  --help       prints this text

steps:
${STEPS.map(({ name, guards }) => `  ${name.padEnd(10)}${guards}`).join('\n')}`

/**
 * Runs a step on the repository and on its planted faults, and prints the result. Returns true if the step finds no
 * fault in the repository, and finds the planted faults.
 */
async function runStep(step: Step): Promise<boolean> {
  const result = await step.run(root)
  const canary = await step.canary(root)
  const alive = !canary.ok
  console.log(`${result.ok && alive ? 'ok  ' : 'FAIL'}  ${step.name.padEnd(10)}${step.guards}`)
  if (!result.ok) console.log(result.output.replace(/^/gm, '      '))
  if (!alive)
    console.log(
      `      the check did not report the planted fault, so it would not find a real fault either\n${canary.output.replace(/^/gm, '      ')}`,
    )
  return result.ok && alive
}

/**
 * Returns the steps whose names `only` lists, or all steps if `only` is missing. Throws an error for an unknown name.
 */
function chosenSteps(only: string | undefined): readonly Step[] {
  if (only === undefined) return STEPS
  return only.split(',').map((name) => {
    const step = STEPS.find((each) => each.name === name)
    if (step === undefined) throw new Error(`no step has the name '${name}'; --help lists the steps`)
    return step
  })
}

async function runSteps(steps: readonly Step[]): Promise<void> {
  let failed = 0
  for (const step of steps) if (!(await runStep(step))) failed++
  const passed = steps.length === STEPS.length ? 'All checks passed.' : `The ${steps.length} chosen checks passed.`
  console.log(failed === 0 ? passed : `${failed} of ${steps.length} checks failed.`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** Reads the command line. If no step is to run, prints the help or an error, and returns `undefined`. */
function readArguments(): { steps: readonly Step[]; write: boolean } | undefined {
  try {
    const { values } = parseArgs({
      options: { only: { type: 'string' }, write: { type: 'boolean' }, help: { type: 'boolean' } },
    })
    if (!values.help) return { steps: chosenSteps(values.only), write: values.write === true }
    console.log(HELP)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
  }
  return undefined
}

const chosen = readArguments()
if (chosen?.write === true) writeManifests(root)
if (chosen !== undefined) await runSteps(chosen.steps)
