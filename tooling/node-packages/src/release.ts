import { fileURLToPath } from 'node:url'
import { pinnedPrograms } from './pinned-programs.ts'
import { publishRelease } from './publish-release.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const HELP = `pnpm release:publish: publishes a release

Publishes the packages with the pinned Node.js of every platform ("pnpm release:node"). After all of them, builds and
publishes the packages of the repository ("changeset publish"), and tags them. Skips each version that the registry has
already, so that the command can run again after a failure. All arguments are passed to "changeset publish", for example
--no-git-tag.`

const flags = process.argv.slice(2)
if (flags.some((flag) => flag === '--help' || flag === '-h')) {
  console.log(HELP)
} else {
  for (const name of await publishRelease({ root: ROOT, programs: pinnedPrograms(ROOT), flags })) console.log(name)
}
