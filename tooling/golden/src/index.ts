export { freePort, freePortRange } from './free-port.ts'
export { endWithParent } from './programs/end-with-parent.ts'
export { findChromium } from './programs/find-chromium.ts'
export { findProgram, type OtherProgram } from './programs/find-program.ts'
export { type Finished, launch, type ProgramOptions, type Running, run } from './programs/launch.ts'
export { makeTemporaryFolder, type TemporaryFolder } from './programs/temporary-folder.ts'
export {
  recording,
  recordingJson,
  recordingLines,
  recordingPath,
  recordingText,
  STORE_DUMPS,
  unpackHome,
} from './recordings.ts'
export {
  type DeviationRule,
  type Difference,
  differences,
  globToRegExp,
  judge,
  type VolatileRule,
} from './replay/compare.ts'
export { explainDifferences } from './replay/explain.ts'
export { type NodeProcess, type NodeProcessOptions, startNodeProcess } from './replay/node-process.ts'
export { type Judged, runScenario, type ScenarioOptions } from './replay/run-scenario.ts'
export { createSender, type Exchange, type Sender } from './replay/sender.ts'
export { bodyBytes, storeText } from './replay/text.ts'
export { setTomlKeys } from './replay/toml.ts'
