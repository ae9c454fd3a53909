import { findProgram } from '@org/golden'
import type { Subject } from '../subject.ts'
import { anvilDevnet } from './anvil.ts'
import { cometMockDevnet } from './cometmock.ts'
import type { DevnetSubject } from './devnet.ts'
import { halleyDevnet } from './halley.ts'
import { COMPARISON, INSTALL, PUBLISHED_ANVIL } from './notes.ts'

/** The programs that the benchmark of devnets measures, and the notes that belong below its table. */
export interface FoundDevnets {
  readonly subjects: readonly DevnetSubject[]
  readonly notes: readonly string[]
}

/** Returns the devnet of the Halley in this clone, and CometMock and Anvil if they are installed. */
export function findDevnets(halley: Subject): FoundDevnets {
  const [cometmock, anvil] = [findProgram('cometmock'), findProgram('anvil')]
  const subjects = [
    halleyDevnet(halley),
    ...(cometmock === undefined ? [] : [cometMockDevnet({ cometmock, node: halley })]),
    ...(anvil === undefined ? [] : [anvilDevnet(anvil)]),
  ]
  const notes = [
    ...(subjects.length === 1 ? [] : [COMPARISON]),
    ...(cometmock === undefined ? [INSTALL.cometmock] : []),
    ...(anvil === undefined ? [INSTALL.anvil] : []),
    PUBLISHED_ANVIL,
  ]
  return { subjects, notes }
}
