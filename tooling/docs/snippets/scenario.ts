import { makeScenario, runScenario } from '@org/simnet'

const scenario = makeScenario(42) // validators, powers, faults and liars, all from this number
const { violations, digest } = await runScenario(scenario)
console.log(violations.length, digest === (await runScenario(scenario)).digest)
