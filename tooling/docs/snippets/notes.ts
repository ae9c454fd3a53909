import { createApp, createTable, message, query, refuse } from '@org/app'
import { z } from 'zod'

interface Note {
  readonly author: string
  readonly text: string
}

/** The stored notes. The key of a note is its title. */
const notes = createTable<Note>('note')
const title = z.string().min(1).max(80)

export const app = () =>
  createApp({
    name: 'notes',
    messages: {
      write: message(z.object({ title, text: z.string().max(1000) }), ({ state, signer, emit }, { title, text }) => {
        const before = notes.get(state, title)
        if (before !== undefined && before.author !== signer) refuse(`the note belongs to ${before.author}`, 1)
        notes.set(state, title, { author: signer, text })
        emit('write', { title, author: signer })
      }),
    },
    queries: {
      note: query(title, ({ state }, title) => notes.get(state, title) ?? null),
    },
  })
