/** A flag (a variable or a field that says whether a component runs or has ended) that the check of flags accepts. */
export interface AllowedFlag {
  readonly file: string
  readonly name: string
  /**
   * The reason why the component needs the flag, and cannot use a lifecycle (`createLifecycle`) or an AbortSignal in
   * its place.
   */
  readonly why: string
}

const CONNECTION =
  'A connection. It does no work of its own: it acts only when bytes arrive or when it is called. The flag makes it refuse later calls.'
const FILE = 'A database. `close` has one effect, and the flag makes it refuse later calls.'
const CALL = 'The flag belongs to one call or one value, not to a component.'

export const ALLOWED_FLAGS: readonly AllowedFlag[] = [
  { file: 'packages/abci/src/client/grpc-client.ts', name: 'closing', why: `${CONNECTION} It keeps the error.` },
  { file: 'packages/abci/src/client/socket-client.ts', name: 'closing', why: `${CONNECTION} It keeps the error.` },
  { file: 'packages/abci/src/server/socket-connection.ts', name: 'state', why: CONNECTION },
  {
    file: 'packages/p2p/src/mconn/connection.ts',
    name: 'state',
    why: 'The lifecycle of a multiplexed connection. It ends at once, with all its timers, and its state is read for each packet.',
  },
  { file: 'packages/p2p/src/secret/connection.ts', name: 'state', why: CONNECTION },
  { file: 'packages/p2p/src/transport/memory.ts', name: 'closed', why: CONNECTION },
  { file: 'packages/rpc/src/http/connection.ts', name: 'stopping', why: CONNECTION },
  { file: 'packages/rpc/src/transports/hono.ts', name: 'isOpen', why: CONNECTION },
  { file: 'packages/rpc/src/websocket/call-queue.ts', name: 'closed', why: CONNECTION },
  { file: 'packages/rpc/src/websocket/websocket.ts', name: 'isClosing', why: CONNECTION },
  { file: 'packages/simnet/src/peers/sim-links.ts', name: 'ended', why: CONNECTION },
  { file: 'packages/simnet/src/peers/wire.ts', name: 'open', why: CONNECTION },
  { file: 'packages/runtime/src/databases/database-closer.ts', name: 'closing', why: FILE },
  { file: 'packages/simnet/src/disk/sim-store.ts', name: 'closed', why: FILE },
  { file: 'packages/engine/src/statesync/restore/syncer.ts', name: 'isRunning', why: CALL },
  { file: 'packages/simnet/src/world/drive.ts', name: 'over', why: CALL },
  { file: 'packages/simnet/src/world/scheduler.ts', name: 'isOver', why: CALL },
  { file: 'packages/simnet/src/world/scheduler.ts', name: 'isRunning', why: CALL },
  {
    file: 'packages/engine/src/consensus/driver/ticker.ts',
    name: 'isStarted',
    why: 'A part of the driver, whose lifecycle ends its timer. Until the WAL is replayed, the flag holds back time-outs.',
  },
  {
    file: 'packages/engine/src/consensus/machine/machine.ts',
    name: 'halted',
    why: 'A state of the consensus rules. The machine has no timers and no I/O.',
  },
  {
    file: 'packages/runtime/src/lifecycle/lifecycle.ts',
    name: 'stopped',
    why: 'The lifecycle itself.',
  },
  {
    file: 'packages/simnet/src/network/create-network.ts',
    name: 'hasStarted',
    why: 'A simulated network can be started again: the call starts the nodes that are down. The flag is for the parts that begin once.',
  },
  {
    file: 'packages/simnet/src/world/life.ts',
    name: 'alive',
    why: 'The life of a simulated node. A crash ends it in the middle of everything, so nothing may wait for its end.',
  },
]
