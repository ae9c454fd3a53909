import { createMultiplexer } from '../mconn/index.ts'
import { exchangeNodeInfo } from '../nodeinfo/index.ts'
import { secure } from '../secret/index.ts'

/** How a stream becomes a connection with channels; a simulation brings its own, without cryptography and packets. */
export interface Links {
  readonly secure: typeof secure
  readonly exchangeNodeInfo: typeof exchangeNodeInfo
  readonly createMultiplexer: typeof createMultiplexer
}

export const SECRET_LINKS: Links = { secure, exchangeNodeInfo, createMultiplexer }
