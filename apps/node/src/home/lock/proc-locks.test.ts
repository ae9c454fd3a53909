import { describe, expect, test } from 'vitest'
import { deviceText, parseProcLocks } from './proc-locks.ts'

describe('/proc/locks', () => {
  test('default: all kinds of locks are read, and waiting processes are left out', () => {
    const text = `1: FLOCK  ADVISORY  WRITE 18686 fe:00:9978056 0 EOF
2: POSIX  ADVISORY  WRITE 77 00:2b:12 0 EOF
2: -> POSIX  ADVISORY  WRITE 78 00:2b:12 0 EOF
3: OFDLCK ADVISORY  READ -1 08:01:5 0 EOF
`
    expect(parseProcLocks(text)).toEqual([
      { kind: 'FLOCK', pid: 18686, device: 'fe:00', inode: 9978056 },
      { kind: 'POSIX', pid: 77, device: '00:2b', inode: 12 },
      { kind: 'OFDLCK', pid: -1, device: '08:01', inode: 5 },
    ])
  })

  test('behavior: short and long device numbers are written as in /proc/locks', () => {
    expect(deviceText(0xfe00n)).toBe('fe:00')
    expect(deviceText(0x2bn)).toBe('00:2b')
    expect(deviceText(0x10_3412n)).toBe('34:112')
  })
})
