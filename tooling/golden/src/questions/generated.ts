import type { Exchange } from '../replay/sender.ts'

/** The fields of an exchange that was never recorded. */
export const generated = { id: 'generated', run: 'generated', response: {} }

/** A request over POST with this body, which may be invalid. */
export const posted = (body: string): Exchange => ({
  ...generated,
  transport: 'jsonrpc',
  request: { method: 'POST', path: '/', headers: { 'Content-Type': 'application/json' }, body },
})
