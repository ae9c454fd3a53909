import { createProgress } from '../progress.ts'
import { namesOf, numberOf, optionsOf } from '../usage.ts'
import type { Door } from './door.ts'
import { DOORS } from './doors/index.ts'
import { type Judged, judge } from './judge.ts'
import { measureShape, openDoor } from './measure.ts'
import { machineSpeed } from './speed.ts'

const OPTIONS = {
  door: { type: 'string' },
  doublings: { type: 'string' },
  runs: { type: 'string' },
  all: { type: 'boolean' },
  list: { type: 'boolean' },
} as const

const NAMES = DOORS.map(({ name }) => name)

export interface ShapeResult extends Judged {
  readonly door: Door
  readonly shape: string
  readonly bytes: number
}

interface CostOptions {
  readonly doublings: number
  readonly runs: number
  readonly speed: number
}

/** Measures the cost of each form of hostile input that a door has. */
async function* measureDoor(door: Door, { doublings, runs, speed }: CostOptions): AsyncGenerator<ShapeResult> {
  const bench = await openDoor(door)
  for (const [shape, make] of Object.entries(door.shapes)) {
    const smallest = Math.max(16, door.limit / 2 ** doublings)
    const range = { smallest, largest: door.limit, runs, withMemory: true, withTurns: door.costs.turnMs !== undefined }
    // The first runs are not measured. Without them, the measured cost of the first form of hostile input would include
    // the compilation of the code.
    await bench.time(make(smallest), 3)
    let judged: Judged | undefined
    let bytes = 0
    // Noise of the machine can only raise a measured cost. Therefore a door is at fault only if each of three
    // measurements is too high.
    for (let attempt = 0; attempt < 3 && (judged === undefined || judged.faults.length > 0); attempt++) {
      const samples = await measureShape(bench, make, range)
      judged = judge(samples, door.costs, speed)
      bytes = samples.at(-1)?.bytes ?? 0
    }
    yield { door, shape, bytes, ...(judged as Judged) }
  }
  await bench.close()
}

const WIDTH = Math.max(...NAMES.map((name) => name.length))
const SHAPE_WIDTH = Math.max(...DOORS.flatMap(({ shapes }) => Object.keys(shapes).map((name) => name.length)))

function line({ door, shape, bytes, exponent, nsPerByte, heldPerByte, faults }: ShapeResult): string {
  return [
    door.name.padEnd(WIDTH),
    shape.padEnd(SHAPE_WIDTH),
    bytes.toLocaleString('en').padStart(10),
    exponent.toFixed(2).padStart(8),
    nsPerByte.toFixed(0).padStart(8),
    heldPerByte.toFixed(0).padStart(8),
    faults.length === 0 ? '' : `  ${faults.join('; ')}`,
  ].join(' ')
}

const HEAD = [
  'door'.padEnd(WIDTH),
  'shape'.padEnd(SHAPE_WIDTH),
  'bytes'.padStart(10),
  'exponent'.padStart(8),
  'ns/byte'.padStart(8),
  'mem/byte'.padStart(8),
].join(' ')

/**
 * Returns the result of the form of hostile input with the highest cost. The function `value` returns the cost to
 * compare, such as the time or the memory per byte.
 */
function worst(results: readonly ShapeResult[], value: (result: ShapeResult) => number): ShapeResult {
  return results.reduce((most, result) => (value(result) > value(most) ? result : most))
}

function summary(results: readonly ShapeResult[]): string {
  const rows = [...Map.groupBy(results, ({ door }) => door)].map(([door, own]) => {
    const [time, held] = [worst(own, ({ nsPerByte }) => nsPerByte), worst(own, ({ heldPerByte }) => heldPerByte)]
    const ofTime = `${time.nsPerByte.toFixed(0)} of ${door.costs.nsPerByte} ns/byte (${time.shape})`
    const ofMemory = `${held.heldPerByte.toFixed(0)} of ${door.costs.heldPerByte} bytes/byte (${held.shape})`
    return `${door.name.padEnd(WIDTH)} ${ofTime}, ${ofMemory}`
  })
  return rows.join('\n')
}

/** Runs `pnpm fuzz cost`. Returns false if the input of a door costs too much. */
export async function runCostCommand(args: readonly string[]): Promise<boolean> {
  const given = optionsOf(args, OPTIONS)
  if (given.list === true) {
    console.log(DOORS.map(({ name, where }) => `${name.padEnd(WIDTH)} ${where}`).join('\n'))
    return true
  }
  const names = namesOf(given.door, NAMES, 'door')
  const doors = DOORS.filter(({ name }) => names.length === 0 || names.includes(name))
  const options = {
    doublings: numberOf(given.doublings, 'doublings', 6),
    runs: numberOf(given.runs, 'runs', 5),
    speed: machineSpeed(),
  }
  const total = doors.reduce((sum, { shapes }) => sum + Object.keys(shapes).length, 0)
  const progress = createProgress(total)
  const results: ShapeResult[] = []
  console.log(
    `The limits are for a reference machine. This machine has ${options.speed.toFixed(2)} of its speed.\n\n${HEAD}`,
  )
  for (const door of doors) {
    for await (const result of measureDoor(door, options)) {
      results.push(result)
      progress.note(results.length, door.name)
      progress.advance(given.all === true || result.faults.length > 0 ? line(result) : undefined)
    }
  }
  progress.stop()
  const faulty = results.filter(({ faults }) => faults.length > 0)
  console.log(`\nThe most expensive input of each door:\n${summary(results)}`)
  console.log(`\n${doors.length} doors, ${results.length} shapes, ${faulty.length} of them cost too much`)
  return faulty.length === 0
}
