import { removeUnreachable } from './remove-unreachable.ts'

/** The last step of the build of a published package: `node ../../tooling/build/src/main.ts` in its folder. */
const removed = removeUnreachable(process.cwd())
console.log(`${removed.length} files that no entry reaches are not published`)
