import { makeScenario, runScenario } from '@org/simnet'

const scenario = makeScenario(42) // the seed determines validators, powers, faults, and which validators lie
const { violations, digest } = await runScenario(scenario)
console.log(violations.length, digest === (await runScenario(scenario)).digest)
