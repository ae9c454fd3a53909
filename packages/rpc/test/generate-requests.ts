import { anyExchange as anyExchangeOf } from '@org/golden/generated-requests'
import { ROUTES } from '../src/index.ts'

/** Generates requests that can be answered from a recorded chain alone: without an application, peers or consensus. */
export const anyExchange = anyExchangeOf(
  Object.values(ROUTES).filter(
    ({ name }) =>
      !/^(broadcast|dial|unsafe|consensus_state|dump|status|net_info|subscribe|unsubscribe|abci|check)/.test(name),
  ),
)
