import type { PlantedBug } from '../planted-bug.ts'

const light = (file: string): string => `packages/light/src/${file}`

/** Bugs in the light client: in the verification of headers, and in the detection of attacks. */
export const LIGHT_MUTANTS: readonly PlantedBug[] = [
  {
    name: 'light-no-trust',
    about: 'a later header needs no signatures of the trusted validators',
    file: light('verifier/verify.ts'),
    find: '  if (trusting !== undefined) throw trustError(trusted.header, height, trusting)\n',
    replace: '',
  },
  {
    name: 'light-no-commit',
    about: 'a later header needs no signatures of two thirds of its own validators',
    file: light('verifier/verify.ts'),
    find: '  if (own !== undefined) throw ownCommitError(trusted.header, block, own)\n',
    replace: '',
  },
  {
    name: 'light-no-comparison',
    about: 'headers of witnesses are not compared',
    file: light('client/compare.ts'),
    find: "if (!equalBytes(hashOf(wanted), hashOf(block))) return { witness, kind: 'conflict', block }",
    replace: '',
  },
  {
    name: 'light-first-witness',
    about: 'the first witness that confirms a header decides',
    file: light('client/detector.ts'),
    find: "else if (kind === 'conflict') {",
    replace: "else if (kind === 'conflict' && confirmedBy.length > 0) return\n    else if (kind === 'conflict') {",
  },
  {
    name: 'light-not-examined',
    about: 'a witness with another header is removed without an examination',
    file: light('client/detector.ts'),
    find: '      await reportAttack(context, { trace, conflicting: comparison.block, witness, signal })\n',
    replace: '',
  },
  {
    name: 'light-evidence-not-sent',
    about: 'evidence of an attack is sent to no node',
    file: light('client/attack.ts'),
    find: '    await to.reportEvidence(evidence)\n',
    replace: '',
  },
  {
    name: 'light-evidence-height',
    about: 'evidence of a lunatic attack names the height of the conflict as the common one',
    file: light('client/attack.ts'),
    find: 'commonHeight: heightOf(base),',
    replace: 'commonHeight: heightOf(trusted),',
  },
  {
    name: 'light-evidence-power',
    about: 'evidence of a lunatic attack has the power of the validators that the liars chose',
    file: light('client/attack.ts'),
    find: 'totalVotingPower: totalVotingPower(base.validators)',
    replace: 'totalVotingPower: totalVotingPower(divergent.validators)',
  },
]
