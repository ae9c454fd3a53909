import '../../src/platform/set-immediate.ts'

export { createSession } from '../../src/session/session.ts'
