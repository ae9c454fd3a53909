export type { BlockInfo, Context, QueryContext } from './context.ts'
export { type App, createApp } from './create-app.ts'
export type { AppOptions } from './options.ts'
export { type MessageHandler, message, type QueryHandler, query } from './routes.ts'
