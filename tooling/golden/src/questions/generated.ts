import type { Exchange } from '../replay/sender.ts'

/** Values for the members of an exchange that have no meaning for a generated request. */
export const generated = { id: 'generated', run: 'generated', response: {} }

/** Returns a POST request with this body. The body may be invalid. */
export const posted = (body: string): Exchange => ({
  ...generated,
  transport: 'jsonrpc',
  request: { method: 'POST', path: '/', headers: { 'Content-Type': 'application/json' }, body },
})
