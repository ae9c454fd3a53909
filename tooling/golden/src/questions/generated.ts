import type { Exchange } from '../replay/sender.ts'

/** The fields of an exchange that was never recorded. */
export const generated = { id: 'generated', run: 'generated', response: {} }

/** A call, or what is meant as one, over POST. */
export const posted = (body: string): Exchange => ({
  ...generated,
  transport: 'jsonrpc',
  request: { method: 'POST', path: '/', headers: { 'Content-Type': 'application/json' }, body },
})
