import type { PlantedBug } from '../planted-bug.ts'
import { driver, ENGINE, execution } from './paths.ts'
import { withoutWait } from './without-wait.ts'

/** Bugs in the syncs to disk, in their order, and in the recovery after a crash. */
export const DURABILITY_MUTANTS: readonly PlantedBug[] = [
  // Bugs that leave out a sync of data that must be synced.
  {
    name: 'wal-not-synced',
    about: 'messages of this node are sent before the log is durable',
    file: driver('durable-log.ts'),
    find: '() => log().sync())',
    replace: '() => log().flush())',
  },
  {
    name: 'failed-sync-not-reported',
    about: 'a node whose log could not be synced in the meantime continues until its next message',
    file: driver('durable-log.ts'),
    find: '        onFailure(new ConsensusError(',
    replace: '        ((_error: ConsensusError) => undefined)(new ConsensusError(',
  },
  {
    name: 'signer-not-durable',
    about: "a signature of this node is sent before the signer's state is durable",
    file: driver('durable-log.ts'),
    find: 'modules.privval?.makeDurable?.(synced)\n',
    replace: 'undefined\n',
  },
  {
    name: 'signer-before-wal',
    about: "the signer's state is durable before the log is",
    file: driver('durable-log.ts'),
    find: 'modules.privval?.makeDurable?.(synced)\n',
    replace: 'modules.privval?.makeDurable?.()\n',
  },
  {
    name: 'outbox-open',
    about: 'votes are gossiped before they are durable',
    file: driver('outbox.ts'),
    find: 'const isDurable = (): boolean => durable === marked',
    replace: 'const isDurable = (): boolean => true',
  },
  {
    name: 'signer-file-not-synced',
    about: 'the new state of the signer replaces the old one before its bytes are on disk',
    file: `${ENGINE}/files/write-atomic.ts`,
    find: '    await file.sync()\n',
    replace: '',
  },
  {
    name: 'block-not-synced',
    about: 'a decided block is not forced to disk',
    file: `${ENGINE}/store/block-store.ts`,
    find: 'BlockStoreState.encode(next))], { sync: true })',
    replace: 'BlockStoreState.encode(next))])',
  },
  {
    name: 'responses-not-synced',
    about: 'the results of the application are not forced to disk',
    file: `${ENGINE}/store/state-store.ts`,
    find: 'lane(() => db.write(ops, { sync: true }))',
    replace: 'lane(() => db.write(ops))',
  },
  {
    name: 'state-not-synced',
    about: 'the state after a block is not forced to disk',
    file: `${ENGINE}/store/state-store.ts`,
    find: '    params.set(next, state.consensusParams)\n    await db.write(ops, { sync: true })\n',
    replace: '    params.set(next, state.consensusParams)\n    await db.write(ops)\n',
  },
  {
    name: 'commit-before-block',
    about: 'the application commits a block that is not on disk',
    ...withoutWait('commit-app', ["'save-block', ", "'mark-height', "]),
  },
  {
    name: 'state-before-commit',
    about: 'the state is saved before the application commits',
    file: execution('commit/commit-actions.ts'),
    find: '    const unlock = await mempool?.lock()\n',
    replace:
      '    await stateStore.save({ ...pending, appHash: response.appHash })\n    const unlock = await mempool?.lock()\n',
  },
  {
    name: 'search-before-index',
    about: 'a search does not wait until the transactions of a reported block are indexed',
    file: `${ENGINE}/indexer/indexer.ts`,
    find: '        await written()\n        record = db.get(hash)\n',
    replace: '        record = db.get(hash)\n',
  },
  {
    name: 'last-block-not-indexed',
    about: 'a start does not index the last block although a crash removed its index entries',
    file: execution('handshake/handshake.ts'),
    find: "  if (recovery === 'index-last-block') await indexLast(heights.state, modules)\n",
    replace: '',
  },
  // Bugs in the code that avoids syncs or makes them in parallel. The correct node makes one sync for a burst of
  // messages, one batch for several writes of a block, and no extra sync for the end-height mark in the WAL. It syncs
  // the index and the state of a block at the same time.
  {
    name: 'sync-covers-later',
    about: 'a sync counts as a sync of messages that were added after it began',
    file: driver('outbox.ts'),
    find: '    durable = covers\n',
    replace: '    durable = marked\n',
  },
  {
    name: 'signer-covers-later',
    about: 'a write of the signer counts as a write of signatures that were made after it began',
    file: `${ENGINE}/privval/file-privval.ts`,
    find: '    saved = count\n',
    replace: '    saved = signed\n',
  },
  {
    name: 'signer-not-recalled',
    about: 'after a start the signer does not read its signatures from the log',
    file: driver('recover.ts'),
    find: '    if (durableLog.restoreSignState(message)) outbox.markDirty()\n',
    replace: '',
  },
  {
    name: 'found-log-not-forced',
    about: 'log records of a killed process have effects before they are on disk',
    file: `${ENGINE}/consensus/wal/file-wal.ts`,
    find: 'let appended = isFound ? 1 : 0',
    replace: 'let appended = 0',
  },
  {
    name: 'head-name-not-synced',
    about: 'the log continues in a new file whose name is not on disk',
    file: `${ENGINE}/consensus/wal/file-wal.ts`,
    find: '    await files.syncDirectory(dirname(path))\n    const limits =',
    replace: '    const limits =',
  },
  {
    name: 'end-mark-not-made-again',
    about: 'a start does not write the end mark of a height again after a crash removed it',
    file: driver('replay.ts'),
    find: '    wal.append(endHeightRecord(decided), clock.now())\n',
    replace: '',
  },
  {
    name: 'extent-before-block',
    about: 'the block store records its new height before it writes the block',
    file: `${ENGINE}/store/block-store.ts`,
    find: 'await db.write([...ops, put(keys.BLOCK_STORE_STATE_KEY, BlockStoreState.encode(next))], { sync: true })',
    replace:
      'await db.write([put(keys.BLOCK_STORE_STATE_KEY, BlockStoreState.encode(next))], { sync: true })\n    await db.write(ops, { sync: true })',
  },
  {
    name: 'next-block-early',
    about: 'a block is saved before the state after the block before it',
    ...withoutWait('save-block', ["{ step: 'prune', heightsBefore: 1 },"]),
  },
  {
    name: 'next-responses-early',
    about: 'the results of a block replace those of the block before while its index is not on disk',
    ...withoutWait('save-responses', [", { step: 'prune', heightsBefore: 1 }"]),
  },
  {
    name: 'index-not-synced',
    about: 'the index of a block is not forced to disk',
    file: `${ENGINE}/indexer/indexer.ts`,
    find: 'db.write(writeBlock, { sync: true })',
    replace: 'db.write(writeBlock)',
  },
  {
    name: 'evidence-not-synced',
    about: 'the record that a block has the evidence is not forced to disk',
    file: `${ENGINE}/evidence/pool.ts`,
    find: 'await db.write(ops, { sync: true })',
    replace: 'await db.write(ops)',
  },
  // Bugs in the recovery after a crash.
  {
    name: 'torn-log-kept',
    about: 'an incomplete record at the end of the log is not cut off',
    file: `${ENGINE}/consensus/wal/read-tail.ts`,
    find: '  await disk.truncate(path, offset)\n',
    replace: '',
  },
  {
    name: 'lost-block-refused',
    about: 'the node stops at a log that lacks a disk block, although that disk block was never forced to disk',
    file: `${ENGINE}/consensus/wal/read-tail.ts`,
    find: '|| !damage.isLostBlock) throw',
    replace: '|| damage !== undefined) throw',
  },
  {
    name: 'log-not-replayed',
    about: 'a start does not replay the log records of the current height',
    file: driver('replay.ts'),
    find: 'messages.map(inputFromRecord).filter((input) => input !== undefined)',
    replace: '[] as Exclude<ReturnType<typeof inputFromRecord>, undefined>[]',
  },
  {
    name: 'end-mark-missing',
    about: 'the end of a height is not marked in the log',
    file: driver('perform-call.ts'),
    find: "        'mark-height': () => wal.append(endHeightRecord(height), clock.now()),\n",
    replace: '',
  },
  {
    name: 'app-not-replayed',
    about: 'a start does not send the application the blocks that it lacks',
    file: execution('handshake/handshake.ts'),
    find: 'if (heights.app >= to) return appHash',
    replace: 'if (heights.app >= to - 1_000_000) return appHash',
  },
  {
    name: 'mock-app-not-used',
    about: 'a block that the application has committed is sent to it again',
    file: execution('handshake/recovery.ts'),
    find: "return app === store ? 'replay-responses' : 'replay-block'",
    replace: "return app === store + 1 ? 'replay-responses' : 'replay-block'",
  },
]
