import { findDevnets } from './devnet/find-devnets.ts'
import { halleyDevnet } from './devnet/halley.ts'
import { besideClone, findSubjects, type Subject } from './subject.ts'
import {
  DEVNET_WORKLOADS,
  EXPLORER_WORKLOADS,
  HOSTILE_WORKLOADS,
  LIGHT_WORKLOADS,
  type Measurement,
  NETWORK_WORKLOADS,
  RPC_WORKLOADS,
  STATESYNC_WORKLOADS,
  WORKLOADS,
  type Workload,
  type WorkloadContext,
} from './workloads/index.ts'

export const KINDS = ['network', 'rpc', 'light', 'statesync', 'devnet', 'explorer', 'hostile'] as const
export type Kind = (typeof KINDS)[number]

/** The context of a workload, except its member `subject` (the measured program). */
export type SharedContext = Omit<WorkloadContext, 'subject'>

/** A workload together with the programs that it measures. */
export interface PlannedWorkload {
  readonly name: string
  /** Runs the workload on the measured program with the name `subject`, such as `halley` or `cometbft`. */
  readonly run: (subject: string, context: SharedContext) => Promise<readonly Measurement[]>
}

/** The workloads of one run, and the programs that each of them measures. */
export interface Plan {
  readonly workloads: readonly PlannedWorkload[]
  /** The names of the measured programs. The first program is always Halley from this clone of the repository. */
  readonly subjects: readonly string[]
  /** The texts that are printed below the table of results. */
  readonly notes: readonly string[]
}

const NO_RATIOS = "'cometbft' and 'abci-cli' were not found: no ratios."

function planOf<S extends { readonly name: string }>(
  workloads: readonly Workload<S>[],
  subjects: readonly S[],
  notes: readonly string[] = [],
): Plan {
  return {
    workloads: workloads.map(({ name, run }) => ({
      name,
      run: (chosen, context) => run({ ...context, subject: subjects.find((one) => one.name === chosen) as S }),
    })),
    subjects: subjects.map(({ name }) => name),
    notes,
  }
}

const NODE_WORKLOADS: Readonly<Record<Exclude<Kind, 'devnet'> | 'blocks', readonly Workload[]>> = {
  blocks: WORKLOADS,
  network: NETWORK_WORKLOADS,
  rpc: RPC_WORKLOADS,
  light: LIGHT_WORKLOADS,
  statesync: STATESYNC_WORKLOADS,
  explorer: EXPLORER_WORKLOADS,
  hostile: HOSTILE_WORKLOADS,
}

/**
 * Returns the plan for the workloads of this kind. If `kind` is missing, the plan has the workloads that need only one
 * node. Each plan measures Halley from this clone of the repository. `beside` is the folder of another clone of the
 * repository. If `beside` is given, the plan also measures Halley from the other clone, and measures no programs of
 * other projects.
 */
export function makePlan(kind: Kind | undefined, beside: string | undefined): Plan {
  const nodes = beside === undefined ? findSubjects() : besideClone(beside)
  if (kind === 'devnet') {
    if (beside !== undefined) return planOf(DEVNET_WORKLOADS, nodes.map(halleyDevnet))
    const { subjects, notes } = findDevnets(nodes[0])
    return planOf(DEVNET_WORKLOADS, subjects, notes)
  }
  const workloads = NODE_WORKLOADS[kind ?? 'blocks']
  // These workloads run with Halley only: the attacks test the defences of Halley, and the reference has no explorer.
  const isAlone = (kind === 'hostile' || kind === 'explorer') && beside === undefined
  if (isAlone) return planOf<Subject>(workloads, nodes.slice(0, 1))
  return planOf(workloads, nodes, nodes.length === 1 ? [NO_RATIOS] : [])
}
