export { type PinnedProgram, pinnedProgramOfThisMachine, pinnedPrograms } from './pinned-programs.ts'
export { publishProgram } from './publish-program.ts'
