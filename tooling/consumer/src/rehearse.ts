import { rehearse } from './rehearsal/rehearse.ts'

const HELP = `pnpm release:rehearse: publishes every package to a registry on this machine, and uses them as somebody else would

Builds the packages, starts Verdaccio (fetched from npm) on loopback, and publishes with the command of a real release, but
without a git tag. Then, in empty folders outside of the repository and with npm alone: installs @org/node and runs
"npx halley devnet" with a key-value store and with a TypeScript file, installs @org/simnet and tests an application, installs @org/rpc and mounts it, and
creates a project with npm create @org/chain and runs its scripts. Takes about two minutes,
and leaves nothing behind. Exit code 1 if a step fails.`

if (process.argv.some((argument) => argument === '--help' || argument === '-h')) {
  console.log(HELP)
} else {
  await rehearse((step, result, milliseconds) => {
    console.log(`  ✓ ${step.padEnd(54)} ${(milliseconds / 1000).toFixed(1).padStart(6)} s   ${result}`)
  }).then(
    () => console.log('\nThe packages can be released.'),
    (error: unknown) => {
      console.error(`\n  ✗ ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    },
  )
}
