import { rehearse } from './rehearsal/rehearse.ts'

const HELP = `pnpm release:rehearse: publishes every package to a registry on this machine, and uses them as somebody else would

Starts Verdaccio (fetched from npm) on loopback, builds the packages and publishes them with the function of a real release, but
without a git tag. The pinned Node.js of other platforms is a stub. Then, in empty folders outside of the repository and with npm alone: installs @org/node and runs
"npx halley devnet" with a key-value store and with a TypeScript file, installs @org/simnet and tests an application, installs @org/rpc and mounts it, and
creates a project with npm create @org/chain and runs its scripts, and one more with npm 10.8.2. Takes about three minutes,
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
