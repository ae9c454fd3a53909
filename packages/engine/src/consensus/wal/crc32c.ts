/** The checksum CRC-32C (Castagnoli), which is computed with eight bytes per step. */

export const POLYNOMIAL = 0x82f63b78

function buildTables(): readonly Uint32Array[] {
  const first = new Uint32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) === 1 ? POLYNOMIAL : 0)
    first[byte] = crc >>> 0
  }
  const tables = [first]
  for (let i = 1; i < 8; i++) {
    const before = tables[i - 1] as Uint32Array
    tables.push(before.map((crc) => (crc >>> 8) ^ (first[crc & 0xff] as number)))
  }
  return tables
}

const [T0, T1, T2, T3, T4, T5, T6, T7] = buildTables() as unknown as readonly [
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
]

/** A range of bytes, from the offset `from` up to but not including the offset `to`. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Returns the state of the checksum after a range of bytes. `state` is the state before this range. */
export function crc32cState(state: number, bytes: Uint8Array, { from, to }: Range): number {
  let crc = state
  let at = from
  const b = bytes as unknown as { readonly [index: number]: number }
  const t = (table: Uint32Array, index: number): number => table[index] as number
  for (const stop = to - 7; at < stop; at += 8) {
    crc ^=
      (b[at] as number) | ((b[at + 1] as number) << 8) | ((b[at + 2] as number) << 16) | ((b[at + 3] as number) << 24)
    crc =
      t(T7, crc & 0xff) ^
      t(T6, (crc >>> 8) & 0xff) ^
      t(T5, (crc >>> 16) & 0xff) ^
      t(T4, crc >>> 24) ^
      t(T3, b[at + 4] as number) ^
      t(T2, b[at + 5] as number) ^
      t(T1, b[at + 6] as number) ^
      t(T0, b[at + 7] as number)
  }
  for (; at < to; at++) crc = (crc >>> 8) ^ t(T0, (crc ^ (b[at] as number)) & 0xff)
  return crc
}

export function crc32c(bytes: Uint8Array): number {
  return ~crc32cState(0xffffffff, bytes, { from: 0, to: bytes.length }) >>> 0
}
