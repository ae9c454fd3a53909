import { expect, test } from 'vitest'
import { browserCommand, canSeePages } from './browser-command.ts'

const URL = 'http://127.0.0.1:26657/explorer/'

test('default: the program of the system that opens pages is used', () => {
  expect(browserCommand(URL, {}, 'darwin')).toEqual({ program: 'open', args: [URL] })
  expect(browserCommand(URL, {}, 'win32')).toEqual({ program: 'cmd', args: ['/c', 'start', '""', URL] })
  expect(browserCommand(URL, { DISPLAY: ':0' }, 'linux')).toEqual({ program: 'xdg-open', args: [URL] })
  expect(browserCommand(URL, { WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toEqual({ program: 'xdg-open', args: [URL] })
})

test('behavior: BROWSER names another program, also without a screen', () => {
  const wanted = { program: '/opt/my browser', args: [URL] }
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    expect(browserCommand(URL, { BROWSER: '/opt/my browser' }, platform)).toEqual(wanted)
})

test('behavior: on a machine without a screen there is no program to open a page', () => {
  expect(browserCommand(URL, { DISPLAY: '' }, 'linux')).toBeUndefined()
})

test('behavior: no page is opened without a terminal, in a test run, or with BROWSER=none', () => {
  expect(canSeePages({}, true)).toBe(true)
  expect(canSeePages({}, false)).toBe(false)
  expect(canSeePages({ CI: 'true' }, true)).toBe(false)
  expect(canSeePages({ CI: 'false' }, true)).toBe(true)
  expect(canSeePages({ BROWSER: 'none' }, true)).toBe(false)
  expect(canSeePages({ BROWSER: 'firefox' }, true)).toBe(true)
})
