import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVirtualClock } from '@org/runtime'
import { CodedError } from '@org/runtime/errors'
import { describe, expect, test } from 'vitest'
import { createLogging, LogError, parseLogLevel } from './index.ts'

const clock = createVirtualClock()

function logged(format: string, level: string, write: (logging: ReturnType<typeof createLogging>) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'halley-log-'))
  const target = join(folder, 'log')
  try {
    const logging = createLogging({ format, level, target }, { clock })
    write(logging)
    logging.flush()
    return readFileSync(target, 'utf8').trimEnd().split('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('logs', () => {
  test("default: a plain line has the reference's form", () => {
    const [line] = logged('plain', 'info', ({ logger }) => {
      const error = new CodedError('SOME_CODE', 'it broke')
      logger.child('state').info('Executed block', {
        height: 5,
        hash: new Uint8Array([1, 0xab]),
        text: 'a b',
        big: 7n,
        error,
        none: undefined,
      })
    })
    expect(line).toMatch(
      /^I\[\d{4}-\d\d-\d\d\|\d\d:\d\d:\d\d\.\d{3}\] Executed block {31}module=state height=5 hash=01AB text="a b" big=7 error="it broke \[SOME_CODE\]"$/,
    )
  })

  test('error: control characters in a field do not reach the terminal', () => {
    const [line] = logged('plain', 'info', ({ logger }) =>
      logger.info('Added peer', { moniker: 'a\u009b31m\u007f\u001b[2J' }),
    )
    expect(line).toContain('moniker="a\\u009b31m\\u007f\\u001b[2J"')
  })

  test.each(['plain', 'json'])('error: controls of the writing direction are escaped in the form %s', (format) => {
    const controls = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
    const [line] = logged(format, 'info', ({ logger }) => logger.info('Added peer', { moniker: `a${controls}b` }))
    const escapes = Array.from(controls, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)
    expect(line).toContain(`"a${escapes.join('')}b"`)
  })

  test('error: control characters in a field of the form json are escaped, and keep their meaning', () => {
    const moniker = 'a\u009b31m\u007f\u001b[2J\n\u00e9'
    const [line = ''] = logged('json', 'info', ({ logger }) => logger.info('Added peer', { moniker }))
    expect(line).not.toMatch(/\p{Cc}/u)
    expect(JSON.parse(line)).toMatchObject({ moniker, _msg: 'Added peer' })
  })

  test('behavior: the status stays below the log lines, and is written again only if it changes or a line is logged', () => {
    const text = logged('plain', 'info', ({ logger, showStatus, flush }) => {
      for (const status of ['one', 'one', 'two']) {
        showStatus(status)
        flush()
      }
      logger.info('hello')
      flush()
      showStatus('')
    }).join('\n')
    const clear = '\r\u001b[K'
    expect(text.replace(/I\[.*main/, 'LINE')).toBe(`one${clear}two${clear}LINE\ntwo${clear}`)
  })

  test('behavior: the form json has one JSON object per line', () => {
    const [line = ''] = logged('json', 'info', ({ logger }) => logger.info('hello', { height: 5, big: 7n }))
    expect(JSON.parse(line)).toEqual({
      level: 'info',
      ts: '2023-11-14T22:13:20.000Z',
      module: 'main',
      height: 5,
      big: '7',
      _msg: 'hello',
    })
  })

  test('behavior: each module can have its own log level', () => {
    const lines = logged('plain', 'consensus:debug,p2p:none,*:error', ({ logger }) => {
      logger.info('main info')
      logger.error('main error')
      logger.child('consensus').debug('consensus debug')
      logger.child('p2p').error('p2p error')
    })
    expect(lines.map((line) => line.replace(/^.*\] (\w+ \w+).*$/, '$1'))).toEqual(['main error', 'consensus debug'])
  })

  test.each(['', 'loud', 'consensus:loud', 'a:b:c', 'info,debug:'])('error: %j is refused as a log level', (text) => {
    expect(() => parseLogLevel(text)).toThrow(LogError)
  })
})
