import { anyExchange as anyExchangeOf } from '@org/golden/questions'
import { ROUTES } from '../src/index.ts'

/** A request that is answered from a stopped home, without an application. */
export const anyExchange = anyExchangeOf(
  Object.values(ROUTES).filter(
    ({ name }) =>
      !/^(broadcast|dial|unsafe|consensus_state|dump|status|net_info|subscribe|unsubscribe|abci|check)/.test(name),
  ),
)
