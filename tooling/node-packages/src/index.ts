export { type PinnedProgram, pinnedProgramOfThisMachine, pinnedPrograms } from './pinned-programs.ts'
export { publishRelease } from './publish-release.ts'
