import { removeUnreachable } from './remove-unreachable.ts'

/**
 * The last step of the build of a published package: removes the compiled files that no entry of the package reaches.
 * The manifest of the package runs it as `node ../../tooling/build/src/main.ts`, in the folder of the package.
 */
const removed = removeUnreachable(process.cwd())
console.log(`${removed.length} files that no entry reaches are not published`)
