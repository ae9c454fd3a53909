import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createVirtualClock, noopLogger } from '@org/runtime'
import type { ConsensusMessage, WalMessage } from '@org/types/messages'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Files, NODE_FILES } from '../../files/index.ts'
import { WAL_ERRORS } from './errors.ts'
import { createFileWal } from './file-wal.ts'
import { DEFAULT_WAL_OPTIONS, type WalOptions } from './options.ts'
import type { WalTail } from './wal.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'wal-'))
  return () => rmSync(directory, { recursive: true })
})

const systemError = (): Error => Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' })

const path = (): string => join(directory, 'cs.wal', 'wal')
const open = (options: Partial<WalOptions> = {}) =>
  createFileWal(
    { ...DEFAULT_WAL_OPTIONS, path: path(), ...options },
    { clock: createVirtualClock(), logger: noopLogger },
  ).open()

const end = (height: number): WalMessage => ({ sum: { case: 'endHeight', value: { height } } })
const timeout = (height: number, round: number): WalMessage => ({
  sum: { case: 'timeoutInfo', value: { duration: 5n, height, round, step: 1 } },
})
const blockPart = (bytes: Uint8Array): WalMessage => {
  const proof = { total: 1, index: 0, leafHash: new Uint8Array(32), aunts: [] }
  const part = { index: 0, bytes, proof }
  const msg: ConsensusMessage = { sum: { case: 'blockPart', value: { height: 2, round: 0, part } } }
  return { sum: { case: 'msgInfo', value: { msg, peerId: 'a'.repeat(40) } } }
}
const rounds = ({ messages }: WalTail): unknown[] =>
  messages.map(({ msg }) => (msg?.sum?.case === 'timeoutInfo' ? msg.sum.value.round : msg?.sum?.case))

async function write(...messages: WalMessage[]): Promise<void> {
  const { wal } = await open()
  for (const [i, message] of messages.entries()) wal.append(message, BigInt(i))
  await wal.close()
}

async function tail(): Promise<WalTail> {
  const { wal, tail } = await open()
  await wal.close()
  return tail
}

describe('createFileWal', () => {
  it('default: a new log begins with the mark of height 0', async () => {
    expect(await tail()).toEqual({ endHeight: 0, messages: [] })
    expect(await tail()).toEqual({ endHeight: 0, messages: [] })
    expect(statSync(path()).mode & 0o777).toBe(0o600)
  })

  it('behavior: the tail has the records after the last mark', async () => {
    await write(timeout(1, 0), end(1), timeout(2, 7), timeout(2, 8))
    const found = await tail()
    expect(found.endHeight).toBe(1)
    expect(rounds(found)).toEqual([7, 8])
    expect(found.messages[0]?.time).toBe(2n)
  })

  it('behavior: records are on disk after a sync, and none before a flush', async () => {
    const { wal } = await open()
    const before = statSync(path()).size
    wal.append(timeout(1, 0), 0n)
    expect(statSync(path()).size).toBe(before)
    await wal.sync()
    expect(statSync(path()).size).toBeGreaterThan(before)
    await wal.close()
    expect(() => wal.append(timeout(1, 1), 0n)).toThrow(expect.objectContaining({ code: WAL_ERRORS.closed }))
  })

  it('behavior: the first sync forces the existing log and its name to disk, because a killed process may have written it', async () => {
    await write(timeout(1, 0))
    const forced: string[] = []
    const files: Files = {
      ...NODE_FILES,
      open: (name, mode) => {
        const file = NODE_FILES.open(name, mode)
        return { ...file, sync: () => file.sync().then(() => void forced.push(basename(name))) }
      },
      syncDirectory: (name) => NODE_FILES.syncDirectory(name).then(() => void forced.push(basename(name))),
    }
    const modules = { clock: createVirtualClock(), logger: noopLogger, files }
    const { wal } = await createFileWal({ ...DEFAULT_WAL_OPTIONS, path: path() }, modules).open()
    await wal.sync()
    expect(forced).toEqual(['wal', 'cs.wal'])
    await wal.sync()
    wal.append(end(1), 0n)
    await wal.sync()
    expect(forced).toEqual(['wal', 'cs.wal', 'wal'])
    await wal.close()
  })

  it('error: a failed sync that the log began by itself is reported', async () => {
    let isBroken = false
    const files: Files = {
      ...NODE_FILES,
      open: (name, mode) => {
        const file = NODE_FILES.open(name, mode)
        return { ...file, sync: () => (isBroken ? Promise.reject(systemError()) : file.sync()) }
      },
    }
    const clock = createVirtualClock()
    const failures: unknown[] = []
    const { wal } = await createFileWal(
      { ...DEFAULT_WAL_OPTIONS, path: path() },
      { clock, logger: noopLogger, files },
    ).open((error) => void failures.push(error))
    await wal.sync()
    isBroken = true
    wal.append(end(1), 0n)
    clock.advance(DEFAULT_WAL_OPTIONS.syncIntervalMs)
    await expect.poll(() => failures).toEqual([expect.objectContaining({ code: WAL_ERRORS.io })])
    expect(() => wal.append(end(2), 0n)).toThrow(expect.objectContaining({ code: WAL_ERRORS.io }))
    await expect(wal.close()).rejects.toMatchObject({ code: WAL_ERRORS.io })
  })

  it('behavior: the head is renamed at its limit and the tail spans files', async () => {
    const { wal } = await open({ headSizeLimit: 100 })
    wal.append(end(1), 0n)
    for (let round = 0; round < 20; round++) {
      wal.append(timeout(2, round), 0n)
      await wal.sync()
    }
    await wal.close()
    expect(existsSync(`${path()}.000`) && existsSync(`${path()}.003`)).toBe(true)
    const found = await tail()
    expect(found.endHeight).toBe(1)
    expect(rounds(found)).toEqual(Array.from({ length: 20 }, (_, i) => i))
  })

  it('behavior: removes the oldest files at the total limit', async () => {
    const { wal } = await open({ headSizeLimit: 100, totalSizeLimit: 300 })
    for (let round = 0; round < 40; round++) {
      wal.append(timeout(1, round), 0n)
      await wal.sync()
    }
    await wal.close()
    expect(existsSync(`${path()}.000`)).toBe(false)
    expect(rounds(await tail()).at(-1)).toBe(39)
  })

  it('behavior: ignores a mark of height 0 in a later file', async () => {
    await write(end(1), timeout(2, 3))
    const first = readFileSync(path())
    writeFileSync(`${path()}.000`, first)
    // The head contains only the first frame: the mark of height 0 with which the reference begins an empty head.
    writeFileSync(path(), first.subarray(0, 8 + first.readUInt32BE(4)))
    const found = await tail()
    expect(found.endHeight).toBe(1)
    expect(rounds(found)).toEqual([3, 'endHeight'])
  })

  it('behavior: cuts off an incomplete last frame of any length, and keeps a copy of the file', async () => {
    await write(end(1), timeout(2, 0), timeout(2, 1))
    const whole = readFileSync(path())
    const last = whole.length - (await lastFrameLength(whole))
    for (let length = last + 1; length < whole.length; length += 3) {
      writeFileSync(path(), whole.subarray(0, length))
      expect(rounds(await tail())).toEqual([0])
      expect(statSync(path()).size).toBe(last)
      expect(readFileSync(`${path()}.CORRUPTED`)).toEqual(whole.subarray(0, length))
    }
  })

  it('behavior: bytes of a peer that look like frames are not read as frames, if a crash damaged their record', async () => {
    await write(timeout(2, 7))
    const records = readFileSync(path())
    const own = records.subarray(8 + records.readUInt32BE(4))
    await write(end(1), timeout(2, 8))
    const withMark = readFileSync(path()).subarray(records.length)
    for (const lookAlike of [own, withMark]) {
      rmSync(path())
      await write(end(1), timeout(2, 0))
      const kept = statSync(path()).size
      await write(blockPart(Buffer.concat([lookAlike, Buffer.alloc(2000, 1)])), timeout(2, 1))
      const whole = readFileSync(path())
      const lost = Buffer.from(whole).fill(0, kept + 1024, kept + 2048)
      for (const damaged of [whole.subarray(0, kept + 1500), lost]) {
        writeFileSync(path(), damaged)
        const found = await tail()
        expect([found.endHeight, rounds(found), statSync(path()).size]).toEqual([1, [0], kept])
      }
    }
  })

  it('behavior: treats zeros at the end as an incomplete frame', async () => {
    await write(end(1), timeout(2, 0))
    appendFileSync(path(), Buffer.alloc(5000))
    expect(rounds(await tail())).toEqual([0])
  })

  it('behavior: damage in the records of a decided height is ignored', async () => {
    await write(timeout(1, 0), timeout(1, 1), end(1), timeout(2, 0))
    flip(30)
    expect(rounds(await tail())).toEqual([0])
  })

  it('error: an error about damage in the current height names the place and the repair', async () => {
    await write(end(1), timeout(2, 1), timeout(2, 2))
    const whole = readFileSync(path())
    const bad = whole.length - 2 * (await lastFrameLength(whole))
    flip(bad + 12)
    const repair = `cp '${path()}' '${path()}.CORRUPTED' && truncate --size=${bad} '${path()}'`
    await expect(open()).rejects.toMatchObject({ code: WAL_ERRORS.corrupted, data: { offset: bad, repair } })
    expect(readFileSync(path()).length).toBe(whole.length)
  })

  it('behavior: the log ends at a disk block that a power failure lost, and a copy of the file is kept', async () => {
    await write(end(1), ...Array.from({ length: 60 }, (_, round) => timeout(2, round)))
    const whole = readFileSync(path())
    const ends = frameEnds(whole)
    const synced = ends[10] as number
    const sectorEnd = (from: number): number => 512 * Math.ceil((from + 1) / 512)
    const second = sectorEnd(synced)
    // The test imitates two power failures, each by zeros in a range of bytes. The first range is the end of a sector
    // whose beginning was written by an earlier sync. The second range is the whole next sector.
    for (const [from, to] of [
      [synced, second],
      [second, second + 512],
    ] as const) {
      const written = Buffer.from(whole).fill(0, from, to)
      writeFileSync(path(), written)
      const kept = ends.findLastIndex((at) => at <= from)
      expect(rounds(await tail())).toEqual(Array.from({ length: kept - 2 }, (_, round) => round))
      expect(readFileSync(path())).toEqual(whole.subarray(0, ends[kept]))
      expect(readFileSync(`${path()}.CORRUPTED`)).toEqual(written)
    }
    // These zeros begin inside a frame and fill no whole sector, so they are damage and not a lost sector.
    const elsewhere = Buffer.from(whole).fill(0, synced + 2, second)
    writeFileSync(path(), elsewhere)
    await expect(open()).rejects.toMatchObject({ code: WAL_ERRORS.corrupted })
  })

  it.runIf(existsSync('/proc/self/fd'))('error: writes nothing after a failed write', async () => {
    const { wal } = await open()
    // The descriptor of the log's file. The test closes it, so that the next write fails.
    const number = Number(readdirSync('/proc/self/fd').find((fd) => linkOf(fd) === path()))
    closeSync(number)
    wal.append(timeout(1, 1), 0n)
    await expect(wal.sync()).rejects.toMatchObject({ code: WAL_ERRORS.io })
    expect(() => wal.append(timeout(1, 2), 0n)).toThrow(expect.objectContaining({ code: WAL_ERRORS.io }))
    await expect(wal.sync()).rejects.toMatchObject({ code: WAL_ERRORS.io })
  })

  it('error: reports a folder that cannot be created', async () => {
    writeFileSync(join(directory, 'cs.wal'), '')
    await expect(open()).rejects.toMatchObject({ code: WAL_ERRORS.io })
  })
})

/** Returns the offset of the end of each frame. The first item is 0. */
function frameEnds(bytes: Buffer): number[] {
  const ends = [0]
  for (let offset = 0; offset < bytes.length; ends.push(offset)) offset += 8 + bytes.readUInt32BE(offset + 4)
  return ends
}

async function lastFrameLength(bytes: Buffer): Promise<number> {
  let offset = 0
  for (;;) {
    const length = 8 + bytes.readUInt32BE(offset + 4)
    if (offset + length === bytes.length) return length
    offset += length
  }
}

function linkOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return undefined
  }
}

function flip(offset: number): void {
  const bytes = readFileSync(path())
  bytes.writeUInt8(bytes.readUInt8(offset) ^ 1, offset)
  writeFileSync(path(), bytes)
}
