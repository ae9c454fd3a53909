import { writeFile } from 'node:fs/promises'
import { makeLock, TEMPLATE_LOCK } from './template-lock/make-lock.ts'

const HELP = `pnpm release:lock: writes the lockfile of the template of @org/create-chain

Run it after a change of a dependency. The lockfile has the packages of other projects that a new project installs, with
the versions and hashes of pnpm-lock.yaml. The packages of this repository are not in it: npm adds them. A test of
tooling/consumer fails if the lockfile is old.`

if (process.argv.some((argument) => argument === '--help' || argument === '-h')) {
  console.log(HELP)
} else {
  await writeFile(TEMPLATE_LOCK, await makeLock())
  console.log(`Wrote ${TEMPLATE_LOCK}`)
}
