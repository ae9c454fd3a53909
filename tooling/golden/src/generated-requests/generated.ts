import type { Exchange } from '../replay/sender.ts'

/** Every `Exchange` must have these members. For a generated request, their values have no meaning. */
export const generated = { id: 'generated', run: 'generated', response: {} }

/** Returns a POST request with this body. The body may be invalid. */
export const posted = (body: string): Exchange => ({
  ...generated,
  transport: 'jsonrpc',
  request: { method: 'POST', path: '/', headers: { 'Content-Type': 'application/json' }, body },
})
