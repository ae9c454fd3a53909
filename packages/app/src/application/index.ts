export type { BlockInfo, Context, QueryContext } from './context.ts'
export { type App, createApp } from './create-app.ts'
export type { AppOptions } from './options.ts'
export { type Message, message, type Query, query } from './routes.ts'
